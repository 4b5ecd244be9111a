import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { root } from './setup.mjs'

/** A place, what stands there, and the rule that must name it; undefined: none may. */
const cases = [
  ['src/store/a.ts', 'export const a = (value: string): unknown => raw(value)', 'house(sql-text-is-literal)'],
  ['src/store/a.ts', 'export const a = (value: string): unknown => raw(`${value}`)', 'house(sql-text-is-literal)'],
  ['src/store/a.ts', 'export const a = (value: string): unknown => new Sql([{ text: value }])', 'house(sql-text-is-literal)'],
  [
    'src/store/a.ts',
    "import { join } from '../sql/sql.ts'\nexport const a = (b: string): unknown => join([], b)",
    'house(sql-text-is-literal)',
  ],
  ['src/store/a.ts', "import { join } from '../sql/sql.ts'\nexport const a = (): unknown => join([], ', ')", undefined],
  ['src/store/a.ts', "import { join } from 'node:path'\nexport const a = (b: string): unknown => join('/', b)", undefined],
  ['src/store/a.ts', "export const a = (): unknown => raw('BEGIN')", undefined],
  ['src/store/a.ts', "export const a = (type: FieldType): unknown => raw(type.column['sqlite'])", undefined],
  ['src/store/a.ts', 'export const a = process.env.HOME', 'house(no-environment)'],
  ['src/store/a.ts', "export const a = process['env']", 'house(no-environment)'],
  ['src/config.ts', 'export const a = process.env.HOME', undefined],
  ['src/store/a.ts', 'export const a = new Date()', 'house(no-clock-or-chance)'],
  ['src/store/a.ts', 'export const a = Date.now()', 'house(no-clock-or-chance)'],
  ['src/store/a.ts', 'export const a = Math.random()', 'house(no-clock-or-chance)'],
  ['src/store/a.ts', "import { randomBytes } from 'node:crypto'\nexport const a = randomBytes(8)", 'house(no-clock-or-chance)'],
  ['src/store/a.ts', 'export const a = new Date(0)', undefined],
  ['src/app/installation.ts', 'export const a = Date.now()', undefined],
  ['src/filter/a.ts', "export const a = (engine: string) => engine === 'sqlite'", 'house(engine-is-the-dialects-business)'],
  ['src/filter/a.ts', "export const a = (d: { engine: string }) => d.engine !== 'sqlite'", 'house(engine-is-the-dialects-business)'],
  ['src/sql/a.ts', "export const a = (engine: string) => engine === 'sqlite'", undefined],
  ['src/store/a.ts', "export const a = (type: { name: string }) => type.name === 'list'", 'house(field-types-tell-by-members)'],
  ['src/http/a.ts', "export const a = (b: { typeName: string }) => 'file' !== b.typeName", 'house(field-types-tell-by-members)'],
  ['src/cli/a.ts', "export const a = (type: string) => ['date', 'datetime'].includes(type)", 'house(field-types-tell-by-members)'],
  ['src/cli/a.ts', "export const a = fieldType('multilist')", 'house(field-types-tell-by-members)'],
  [
    'src/store/a.ts',
    "export function a(type: string): number {\n  switch (type) {\n    case 'phone':\n      return 1\n    default:\n      return 2\n  }\n}",
    'house(field-types-tell-by-members)',
  ],
  ['src/store/a.ts', "export const a = (type: { kind: string }) => type.kind === 'text'", undefined],
  ['src/store/a.ts', "export const a = (b: unknown) => typeof b === 'boolean'", undefined],
  ['src/fields/a.ts', "export const a = (type: { name: string }) => type.name === 'list'", undefined],
  ['src/store/a.ts', 'export const a = { fio: 1 }', 'house(wire-names-stay-at-the-wire)'],
  ['src/store/a.ts', "export const a = 'eq(e_mail,1)'", 'house(wire-names-stay-at-the-wire)'],
  ['src/store/a.ts', 'export const a = `${1} standart_template`', 'house(wire-names-stay-at-the-wire)'],
  ['src/store/a.ts', 'export const bed = 1', 'house(wire-names-stay-at-the-wire)'],
  ['src/http/resources/a.ts', 'export const a = { fio: 1 }', undefined],
  ['src/store/a.ts', "export const a = { source: { pointer: '' } }", 'house(places-of-requests-stay-at-the-wire)'],
  ['src/store/a.ts', "export const a = { source: { header: 'If-Match' } }", 'house(places-of-requests-stay-at-the-wire)'],
  ['src/filter/a.ts', "export const a = { source: { parameter: 'sort' } }", 'house(places-of-requests-stay-at-the-wire)'],
  ['src/fields/a.ts', 'export const a = (b: string): string => `/data/attributes/${b}`', 'house(places-of-requests-stay-at-the-wire)'],
  ['src/http/a.ts', "export const a = { source: { pointer: '/data/id' } }", undefined],
  [
    'src/store/a.ts',
    'export function a() { try { return JSON.parse(b) } catch { return undefined } }',
    'house(caught-errors-are-looked-at)',
  ],
  ['src/http/a.ts', 'export function a() { try { return JSON.parse(b) } catch { return undefined } }', undefined],
  ['src/store/a.ts', 'export const a = (tx: T) => tx.run(sql`ALTER TABLE t DROP COLUMN c`)', 'house(statements-say-what-they-do)'],
  [
    'src/store/a.ts',
    'export const a = (tx: T) => tx.all(sql`INSERT INTO t (a) VALUES (1) RETURNING id`)',
    'house(statements-say-what-they-do)',
  ],
  ['src/store/a.ts', 'export const a = (tx: T) => tx.alterStructure(sql`ALTER TABLE t DROP COLUMN c`)', undefined],
  ['src/store/a.ts', "export const a = (b: string): string => b.normalize('NFC')", 'house(normalised-in-one-place)'],
  ['src/fields/fold.ts', "export const a = (b: string): string => b.normalize('NFC')", undefined],
  ['src/store/a.test.ts', "test.only('x', () => {})", 'house(tests-all-run)'],
  ['src/store/a.test.ts', "test.skip('x', () => {})", 'house(tests-all-run)'],
  ['src/store/a.test.ts', "test('x', { skip: true }, () => {})", 'house(tests-all-run)'],
  ['src/store/a.ts', '// TODO: later\nexport const a = 1', 'house(todo-names-an-issue)'],
  ['src/store/a.ts', '// TODO(#12): later\nexport const a = 1', undefined],
  ['src/store/a.ts', '// ------- Part -------\nexport const a = 1', 'house(no-banners)'],
  ['src/store/a.ts', 'export default 1', 'import(no-default-export)'],
  ['src/store/a.ts', `${'export {}\n'.repeat(301)}`, 'eslint(max-lines)'],
  ['src/store/a.ts', `export function a(): void {\n${'  void 0\n'.repeat(60)}}`, 'eslint(max-lines-per-function)'],
  ['src/store/a.ts', 'export const a: any = 1', 'typescript(no-explicit-any)'],
  ['src/store/aB.ts', 'export const a = 1', 'unicorn(filename-case)'],
]

let folder
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'house-rules-'))
  for (const file of ['.oxlintrc.json', 'scripts/house-rules.mjs', 'src/fields/index.ts'])
    put(file, (to) => copyFileSync(join(root, file), to))
})
after(() => rmSync(folder, { recursive: true, force: true }))

for (const [file, text, rule] of cases) {
  test(`${rule ?? 'nothing'} is reported in ${file} for ${JSON.stringify(text.slice(0, 70))}`, () => {
    put(file, (to) => writeFileSync(to, `${text}\n`))
    const said = lint(file)
    if (rule === undefined) assert.doesNotMatch(said, /house\(/)
    else assert.ok(said.includes(rule), said)
  })
}

function put(file, write) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  write(join(folder, file))
}

function lint(file) {
  return spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), file], { cwd: folder, encoding: 'utf8' }).stdout
}
