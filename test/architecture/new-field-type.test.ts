import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

/* A new field type is one file and one row: a copy of the source is given two, a text and a number, and everything else follows. */

const colour = `import { fail } from "../errors.ts"
import type { FieldType } from "./field-type.ts"
import { foldedText, textSchema } from "./forms/texts.ts"

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
  schema: textSchema(7),
  parse(value) {
    if (!/^(#[0-9a-f]{6})?$/i.test(value)) throw fail('field.invalid_value', { why: 'This is not a colour.' })
    return value
  },
  examples: [['', ''], ['#FF8800', '#FF8800']],
  rejects: ['red', '#FF880', '#FF88000', '#GG0000'],
}
`

const percent = `import type { FieldSettings, FieldType } from "./field-type.ts"
import { exactNumber } from "./forms/numbers.ts"

const scaleOf = ({ scale = 0 }: FieldSettings): number => scale

export const percent: FieldType = {
  ...exactNumber(scaleOf),
  name: 'percent',
  says: 'A number of hundredths; without a scale, a whole one.',
  settings: ['scale', 'min', 'max'],
  scale: scaleOf,
  examples: [['', '0'], ['15', '15'], ['-7', '-7']],
  rejects: ['abc', '1.5', '15 %'],
}
`

const program = `import { guessType } from "./src/transfer/guess-type.ts"
import { startService } from "./test/support/service.ts"

const { close, table, make, get, call, change, add } = await startService()
const { id, fields: { Shade: f, Share: p } } = await table('Paints', {
  Shade: { typeName: 'colour', unique: true },
  Share: { typeName: 'percent' },
})
const data = 'data' + id
for (const [shade, share] of [['#ff8800', '15'], ['#0000FF', '-7'], ['#00ff00', '']]) await make(data, { [f]: shade, [p]: share })
const list = async (query, name = f) => (await get(data + '?' + query)).json.data.map(({ attributes }) => attributes[name])
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
  scaled: await statusOf(change('field', p.slice(1), { scale: 2 })),
  hundredths: await list('sort=id', p),
  foundScaled: await list('filter=eq(' + p + ',15)', p),
  decimal: await statusOf(change('field', p.slice(1), { field_type: 'decimal' })),
  asDecimal: await list('sort=-' + p, p),
}))
await close()
`

describe('new field types, of one file and one row each', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kartoteka-new-type-'))
    for (const part of ['src', 'test', 'scripts', 'package.json']) cpSync(part, join(folder, part), { recursive: true })
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'src/fields/colour.ts'), colour)
    writeFileSync(join(folder, 'src/fields/percent.ts'), percent)
    const list = join(folder, 'src/fields/index.ts')
    const text = readFileSync(list, 'utf8').replace('  autonumber,\n]', '  autonumber,\n  colour,\n  percent,\n]')
    assert.ok(text.includes('  percent,\n'))
    writeFileSync(list, `import { colour } from "./colour.ts"\nimport { percent } from "./percent.ts"\n${text}`)
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

  it('pass what is demanded of every type', () => {
    const said = run('--test', '--test-reporter=tap', '--test-name-pattern=colour|percent', 'test/fields/conformance.test.ts')
    assert.match(said, /# Subtest: colour\n/)
    assert.match(said, /# Subtest: percent\n/)
    assert.match(said, /# fail 0\n/)
  })

  it('are made, written, refused, unique, filtered, sorted, scaled, converted and guessed', () => {
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
      scaled: 200,
      hundredths: ['15.00', '-7.00', '0.00'],
      foundScaled: ['15.00'],
      decimal: 200,
      asDecimal: ['15.00', '0.00', '-7.00'],
    })
  })
})
