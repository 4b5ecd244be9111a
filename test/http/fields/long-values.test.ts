import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../../support/service.ts'

describe('a long value in a long text', () => {
  let service: Service
  let table: { id: number; fields: Record<string, string> }
  before(async () => {
    service = await startService({ queryTimeout: 5_000 })
    table = await service.table('Texts', { text: 'longtext' })
  })
  after(() => service?.close())

  const total = async (needle: string): Promise<number | string> => {
    const { status, json } = await service.get(
      `data${table.id}?filter=${encodeURIComponent(`contains(${table.fields['text']},'${needle}')`)}`,
    )
    return status === 200 ? json.meta.total : json.errors[0].code
  }

  it('is found where it is, and nowhere else', async () => {
    const value = 'ж1€𝄞'.repeat(10)
    const text = 'ж1€𝄞'.repeat(9) + 'x'.repeat(20_000)
    for (const found of [text + value, value + text, text + value + text, `${text}${value}`.repeat(3)])
      await service.make(`data${table.id}`, { [table.fields['text']!]: found })
    await service.make(`data${table.id}`, { [table.fields['text']!]: text })
    assert.equal(await total(value), 4)
    assert.equal(await total(value.slice(1)), 4)
    assert.equal(await total(`${value}y`), 0)
  })

  it('is looked for within the time limit, whatever its letters are', async () => {
    const worst = [
      ['a', 'b'],
      ['ж', 'б'],
    ] as const
    for (const [letter] of worst) await service.make(`data${table.id}`, { [table.fields['text']!]: letter.repeat(1_000_000) })
    for (const [letter, other] of worst)
      for (const needle of [other + letter.repeat(999), letter.repeat(999) + other, letter.repeat(500) + other + letter.repeat(499)])
        assert.equal(await total(needle), 0)
  })
})
