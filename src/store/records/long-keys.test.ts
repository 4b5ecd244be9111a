import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plain, type Attribute } from '../../fields/field-type.ts'
import { fold } from '../../fields/fold.ts'
import { longtext } from '../../fields/longtext.ts'
import type { View } from '../model/access.ts'
import { keyOf, keysAhead } from './long-keys.ts'

it('a long text is folded while others have their turn', async () => {
  const attribute: Attribute = { name: 'f1', column: 'f1', keyColumn: 'f1k', type: longtext, settings: plain }
  const granted = { attributes: new Map([['f1', attribute]]) } as unknown as View
  const text = 'ё\u0308\u0323'.repeat(100_000)
  let turns = 0
  let done = false
  const count = () => {
    turns++
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  const keys = await keysAhead(granted, new Map([['f1', text]]))
  done = true
  assert.ok(turns >= 15, `${turns} turns`)
  assert.equal(keyOf(attribute, text, keys), fold(text))
})
