import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

/* A new field type is one file and one row: a copy of the source is given one, and everything else follows. */

const file = `import { fail } from "../errors.ts"
import type { FieldType } from "./field-type.ts"
import { foldedText } from "./forms/texts.ts"

export const colour: FieldType = {
  ...foldedText,
  name: 'colour',
  widget: 'line',
  says: 'A colour, #RRGGBB.',
  settings: [],
  canBeUnique: true,
  guess: { value: /^#[0-9a-f]{6}$/i, order: 85 },
  longest: 7,
  maxUnits: 7,
  parse(value) {
    if (!/^(#[0-9a-f]{6})?$/i.test(value)) throw fail('field.invalid_value', { why: 'This is not a colour.' })
    return value
  },
  examples: [['', ''], ['#FF8800', '#FF8800']],
  rejects: ['red', '#FF880', '#FF88000', '#GG0000'],
}
`

const program = `import { guessType } from "./src/cli/commands/import/guess-type.ts"
import { startService } from "./test/support/service.ts"

const { close, table, make, get, call, change, add } = await startService()
const { id, fields: { Shade: f } } = await table('Paints', { Shade: { typeName: 'colour', unique: true } })
const data = 'data' + id
for (const shade of ['#ff8800', '#0000FF', '#00ff00']) await make(data, { [f]: shade })
const list = async (query) => (await get(data + '?' + query)).json.data.map(({ attributes }) => attributes[f])
const statusOf = async (answer) => (await answer).status
console.log(JSON.stringify({
  guessed: guessType('Shade', ['#FF8800', ''], { timeZone: 'UTC' }),
  shown: (await get('field/' + f.slice(1))).json.data.attributes.field_type,
  refused: await statusOf(add(data, { [f]: 'red' })),
  twice: await statusOf(add(data, { [f]: '#FF8800' })),
  found: await list('filter=eq(' + f + ",'%230000ff')"),
  sorted: await list('sort=-' + f),
  changed: await statusOf(change('field', f.slice(1), { field_type: 'text', unique: false })),
  back: await statusOf(change('field', f.slice(1), { field_type: 'colour' })),
  after: await list('sort=id'),
}))
await close()
`

describe('a new field type, of one file and one row', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kartoteka-new-type-'))
    for (const part of ['src', 'test', 'scripts', 'package.json']) cpSync(part, join(folder, part), { recursive: true })
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'src/fields/colour.ts'), file)
    const list = join(folder, 'src/fields/index.ts')
    const text = readFileSync(list, 'utf8').replace('  autonumber,\n]', '  autonumber,\n  colour,\n]')
    assert.ok(text.includes('  colour,\n'))
    writeFileSync(list, `import { colour } from "./colour.ts"\n${text}`)
    writeFileSync(join(folder, 'program.ts'), program)
  })
  after(() => rmSync(folder, { recursive: true }))

  const run = (...args: string[]): string => {
    // The variables of the test runner would make the child report to it.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
    return stdout
  }

  it('passes what is demanded of every type', () => {
    const said = run('--test', '--test-reporter=tap', '--test-name-pattern=colour', 'test/fields/conformance.test.ts')
    assert.match(said, /# Subtest: colour\n/)
    assert.match(said, /# fail 0\n/)
  })

  it('is made, written, refused, unique, filtered, sorted, converted and guessed', () => {
    assert.deepEqual(JSON.parse(run('program.ts')), {
      guessed: { type: 'colour' },
      shown: 'colour',
      refused: 422,
      twice: 409,
      found: ['#0000FF'],
      sorted: ['#ff8800', '#00ff00', '#0000FF'],
      changed: 200,
      back: 200,
      after: ['#ff8800', '#0000FF', '#00ff00'],
    })
  })
})
