import { openAsBlob, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { peakMemory } from '../machine.ts'
import { table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { command, importArguments, loadFloor, startOurs, stop } from '../servers.ts'

export const importQuestion: Question = {
  name: 'import',
  says: 'A file of as many lines imported into a new table, and exported as a workbook: how fast, and in how much memory?',
  async measure(bench) {
    const file = await bench.csv(1, bench.rows)
    const [empty, served] = ['alone', 'served'].map((name) => join(bench.folder, name))
    const alone = await bench.neighbours.during([process.pid], () => command(empty!, ...importArguments('customers', file)))
    await command(served!, ...importArguments('customers', await bench.csv(1, 100)))
    const token = (await command(served!, 'token', 'create', '--login', 'admin')).said.trim()
    const server = await startOurs(served!, token)
    const through = await bench.neighbours.during([process.pid, server.child.pid!], () =>
      command(served!, ...importArguments('again', file)),
    )
    const peak = peakMemory(server.child.pid!)
    await stop(server)
    const workbook = join(bench.folder, 'customers.xlsx')
    const exported = await bench.neighbours.during([process.pid], () =>
      command(empty!, 'export', 'customers', '--format', 'xlsx', '--out', workbook),
    )
    const back = await bench.neighbours.during([process.pid], () => command(empty!, ...importArguments('back', workbook), '--map', 'id='))
    const byJob = await overHttp(bench, served!, token, workbook)
    rmSync(workbook)
    const floor = await bench.neighbours.during([process.pid], () => loadFloor(join(bench.folder, 'import.sqlite'), file))
    for (const folder of [empty!, served!]) rmSync(folder, { recursive: true, force: true })
    const row = (says: string, seconds: number, memory: number) => {
      const rate = bench.rows / seconds
      return [
        says,
        bench.rows,
        seconds,
        rate,
        floor.seconds / seconds,
        memory,
        verdict('≥ 50,000/s', rate >= 50_000),
        verdict('≤ 250 MiB', memory <= 250),
      ]
    }
    const head = ['import', 'lines', 'seconds', 'lines /s', 'share of the floor', 'peak memory MiB', 'speed', 'memory']
    const rows = table(head, [
      row('by the command itself', alone.seconds, alone.peak),
      row('by the server that runs', through.seconds, peak),
      row('of a workbook (.xlsx)', back.seconds, back.peak),
      row('of a workbook, by a job over HTTP', byJob.seconds, byJob.peak),
      row('export as a workbook', exported.seconds, exported.peak),
      ['floor: one prepared statement, nothing checked', bench.rows, floor.seconds, bench.rows / floor.seconds, 1, floor.peak, '', ''],
    ])
    return `${rows}\n\nThe command that handed the file to the server held ${through.peak.toFixed(0)} MiB at most.`
  },
}

/** The same workbook uploaded and run as a job, into the table that is there; from the upload until the job is done. */
async function overHttp(bench: Bench, data: string, token: string, workbook: string): Promise<{ seconds: number; peak: number }> {
  const server = await startOurs(data, token)
  const call = async (method: string, path: string, body?: string | Blob) => {
    const type = typeof body === 'string' ? 'application/vnd.api+json' : 'application/octet-stream'
    const headers = { 'X-Auth-Token': token, ...(body !== undefined && { 'Content-Type': type }) }
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/dev/job${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} job${path}: ${text}`)
    return text === '' ? undefined : (JSON.parse(text) as { data: { id: string; attributes: Job } }).data
  }
  try {
    const input = { kind: 'import', table_id: 1, input: { file_name: 'customers.xlsx' } }
    const { id } = (await call('POST', '', JSON.stringify({ data: { type: 'job', attributes: input } })))!
    const began = performance.now()
    await bench.neighbours.during([process.pid, server.child.pid!], async () => {
      await call('PUT', `/${id}/file`, await openAsBlob(workbook))
      await call('POST', `/${id}/run`)
      for (;;) {
        const { state, result, error } = (await call('GET', `/${id}`))!.attributes
        if (state === 'done' && result?.imported === bench.rows) return
        if (state !== 'queued' && state !== 'running') throw new Error(`The import is ${state}: ${JSON.stringify(result ?? error)}`)
        await sleep(200)
      }
    })
    return { seconds: (performance.now() - began) / 1000, peak: peakMemory(server.child.pid!) }
  } finally {
    await stop(server)
  }
}

interface Job {
  readonly state: string
  readonly result?: { readonly imported: number } | null
  readonly error?: unknown
}
