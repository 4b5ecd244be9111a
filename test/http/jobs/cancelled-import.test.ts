import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { importJob } from '../../../src/jobs/import-job.ts'
import { RunningJob } from '../../../src/jobs/running-job.ts'
import { claimJob } from '../../../src/store/jobs/job-work.ts'
import { spooledWorkbook } from '../../../src/transfer/xlsx-aside.ts'
import { startService, type Service } from '../../support/service.ts'

describe('an import that is to end', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('reads no more lines than those that are being written, however many follow', async () => {
    const lines = 60_000
    const made = await service.call('POST', 'job', { data: { type: 'job', attributes: { kind: 'import', input: { table_name: 'Many' } } } })
    assert.equal(made.status, 202, made.text)
    const { id } = made.json.data
    const body = `Name\n${'one\n'.repeat(lines)}`
    const stored = await service.send('PUT', `/api/dev/job/${id}/file`, { body, headers: { 'Content-Type': 'text/csv' } })
    assert.equal(stored.status, 200, stored.text)
    assert.equal((await service.call('POST', `job/${id}/run`)).status, 202)
    const held = await claimJob(service.store, { id: Number(id), userId: 1, isRunning: false, isOver: false }, 'this')
    const job = new RunningJob(service.store, held!, 'this')
    const caller = await job.goOn()
    // Where a thread imports, the signal alone tells it. Without one, each batch asks.
    job.goOn = async () => {
      if (!service.store.admitWriter) job.signal.throwIfAborted()
      return caller
    }
    const advance = job.advance.bind(job)
    job.advance = async (tx, progress) => {
      await advance(tx, progress)
      job.end()
    }
    await assert.rejects(importJob.run(job as never, held!.input as never))
    job.close()
    const { total } = (await service.get('data1?page[limit]=1')).json.meta
    assert.ok(total < lines / 4, `${total} of ${lines}`)
  })

  it('says that a workbook takes too long only where its time is over', async () => {
    const spooled = (end: AbortSignal) =>
      spooledWorkbook(
        service.store.files,
        (async function* () {
          yield Buffer.from('PK')
        })(),
        {},
        end,
      )
    await assert.rejects(spooled(AbortSignal.abort()), /^Error: Reading the workbook was stopped before its end\.$/)
    const over = AbortSignal.abort(new DOMException('', 'TimeoutError'))
    await assert.rejects(spooled(over), /^Error: Reading the beginning of the workbook takes too long\. Save it as CSV\.$/)
  })
})
