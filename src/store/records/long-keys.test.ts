import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plain, type Attribute } from '../../fields/field-type.ts'
import { fold } from '../../fields/fold.ts'
import { list } from '../../fields/list.ts'
import { longtext } from '../../fields/longtext.ts'
import type { View } from '../model/access.ts'
import { turnsDuring } from '../../../test/support/turns.ts'
import { keyOf, keysAhead, noKeys } from './long-keys.ts'

it('a long text is folded while others have their turn', async () => {
  const attribute: Attribute = { name: 'f1', column: 'f1', keyColumn: 'f1k', type: longtext, settings: plain }
  const attributes = new Map([['f1', attribute]])
  const granted = { attributes, table: { attributes }, readFilter: '', writeFilter: '' } as unknown as View
  const text = 'ё\u0308\u0323'.repeat(100_000)
  let keys = noKeys
  const turns = await turnsDuring(async () => (keys = await keysAhead(granted, new Map([['f1', text]]))))
  assert.ok(turns >= 15, `${turns} turns`)
  assert.equal(keyOf(attribute, text, keys), fold(text))
})

it('the labels of a list are folded the same way before one is written, or a rule asks for one', async () => {
  for (const [sent, readFilter, least] of [
    [new Map([['f1', 'A']]), '', 40],
    [new Map(), "eq(f1,'A')", 40],
    [new Map(), '', 0],
  ] as const) {
    const options = Array.from({ length: 10_000 }, (_, i) => ({ id: i + 1, label: `${'Ё\u0323'.repeat(100)}${i}`, removed: false }))
    const attribute: Attribute = { name: 'f1', column: 'f1', type: list, settings: { ...plain, options } }
    const attributes = new Map([['f1', attribute]])
    const granted = { attributes, table: { attributes }, readFilter, writeFilter: '' } as unknown as View
    const turns = await turnsDuring(() => keysAhead(granted, sent))
    assert.ok(least === 0 ? turns === 0 : turns >= least, `${turns} turns`)
  }
})
