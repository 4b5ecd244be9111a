import assert from 'node:assert/strict'
import { it } from 'node:test'
import { limits } from '../../src/limits.ts'
import { errorsOf, startService } from '../support/service.ts'

/** Milliseconds, for this test: to look through the text once takes some of them, so 200 times take longer on any machine. */
const MOMENT = 20
/** The text matches it nearly everywhere, and nowhere wholly. */
const needle = (i: number) => `${'a'.repeat(15)}${String.fromCodePoint(0x4e00 + i)}`

it('a write whose read filter takes longer than limits.writingMoment ends with 503, and says when to send it again', async (context) => {
  const limit = limits.writingMoment as { most: number }
  const { most } = limit
  context.after(() => (limit.most = most))
  const service = await startService()
  try {
    const { id, fields } = await service.table('Notes', { note: 'longtext' })
    const note = fields['note']!
    const record = await service.make(`data${id}`, { [note]: 'a'.repeat(1_000_000) })
    const pieces = Array.from({ length: 200 }, (_, i) => `contains(${note},'${needle(i)}')`)
    const rights = { group_id: 3, table_id: id, read: true, update: true, read_filter: `not(or(${pieces.join(',')}))` }
    await service.make('access', rights)
    const token = await service.tokenOf(3)
    limit.most = MOMENT
    const answer = await service.change(`data${id}`, record, { [note]: 'b' }, token)
    assert.deepEqual([errorsOf(answer)[0], answer.headers.get('Retry-After')], ['503 server.query_timeout', '5'])
    assert.match(answer.json.errors[0].detail, new RegExp(`^The request took .* ${MOMENT / 1000} s`))
    assert.equal((await service.get(`data${id}/${record}`)).json.data.attributes[note].length, 1_000_000)
  } finally {
    await service.close()
  }
})
