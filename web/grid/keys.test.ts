import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commands } from '../commands/commands.ts'
import { messages } from '../i18n/messages.ts'
import { gridKeys } from './keys.ts'
import { at, move } from './selection.ts'

it('the list of shortcuts has the keys of the grid, and none of them twice', () => {
  const all = gridKeys.flatMap(({ keys }) => keys)
  for (const key of [
    'ArrowUp',
    'Mod+ArrowRight',
    'Home',
    'Mod+End',
    'PageDown',
    'Mod+A',
    'Mod+Space',
    'Shift+Space',
    'Space',
    'F2',
    'Enter',
    'Delete',
    'Mod+D',
    'Mod+R',
    'Mod+C',
    'Mod+X',
    'Mod+V',
  ])
    // prettier-ignore
    assert.ok(all.includes(key), key)
  for (const { title } of gridKeys) assert.ok(title in messages)
  const ofCommands = Object.values(commands).flatMap((one) => ('keys' in one ? [one.keys as string] : []))
  // What is pressed in the grid would not come to a command.
  assert.deepEqual(
    all.filter((key) => ofCommands.includes(key)),
    [],
  )
})

it('what the list shows of movements moves', () => {
  for (const { keys } of gridKeys.slice(0, 5))
    for (const name of keys) {
      const parts = name.split('+')
      const pressed = { key: parts.at(-1)!, shift: false, mod: parts.includes('Mod') }
      assert.notDeepEqual(move(at(5, 5), pressed, { rows: 100, cols: 12, screen: 3 }), at(5, 5))
    }
})
