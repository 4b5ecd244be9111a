import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { programOfRun, type ScratchProgram } from '../support/scratch-program.ts'

/* kartoteka types: what it prints is given to the compiler, with uses that fit and uses that do not. */

const HOSTILE = [
  '*/ export default 1 /*',
  '`${1}`',
  'class',
  '__proto__',
  'a"b\\',
  '客户',
  '1st',
  'Tables',
  'Data1',
  "it's",
  'Orders',
  'Orders',
  // So many that all is longer than what a pipe holds.
  ...Array.from({ length: 40 }, (_, i) => `Table ${i}`),
]

describe('kartoteka types', () => {
  let program: ScratchProgram
  let folder: string
  let throughServer: string
  before(async () => {
    program = await programOfRun()
    folder = mkdtempSync(join(tmpdir(), 'kartoteka-types-'))
    const server = await program.serve()
    const token = await program.token()
    const make = async (type: string, attributes: object): Promise<number> => {
      const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes } })
      assert.equal(status, 201, JSON.stringify(body))
      return Number(body.data.id)
    }
    const options = [{ label: 'warm */ `${1}`' }, { label: 'it\'s "cold"' }]
    for (const [i, name] of ['Companies', ...HOSTILE].entries()) {
      const table = await make('table', { table_name: name })
      await make('field', { table_id: table, field_name: i === 0 ? 'Name' : HOSTILE.at(-i), field_type: 'text' })
      if (i > 0) continue
      await make('field', { table_id: table, field_name: 'Stage', field_type: 'list', options })
      await make('field', { table_id: table, field_name: 'No', field_type: 'integer' })
    }
    throughServer = await program.ok('types')
    await server.stop()
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await program.remove()
  })

  const faults = (name: string, text: string): string[] => {
    writeFileSync(join(folder, name), text)
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2024',
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
    ]
    const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options, join(folder, name)], {
      encoding: 'utf8',
    })
    return stdout.split('\n').filter((line) => line !== '')
  }

  it('prints types that compile, also of hostile names, and that hold what records are', async () => {
    const text = await program.ok('types')
    assert.equal(throughServer, text)
    writeFileSync(join(folder, 'tables.ts'), text)
    const good = `import { tables, type Data1, type Data1Create, type Data1Update, type Companies, type Tables } from './tables.ts'
const shown: Data1 = { user_id: '1', add_time: '2024-01-01 00:00:00', status: '0', f1: 'A', f2: 'warm */ \`\${1}\`', f3: '1' }
export const create: Data1Create = { f1: 'A', f2: null, f3: 1 }
export const update: Data1Update = { f2: 'it\\'s "cold"' }
export const other: Companies = shown
export const type: 'data1' = tables.Companies.type
export const field: 'f2' = tables.Companies.fields.Stage
export const third: Tables['data3']['create'] = {}
export const names: string[] = Object.keys(tables)
export const times: Pick<Data1, 'add_time' | 'update_time'> = { add_time: '', update_time: '2024-01-01 00:00:00' }
`
    assert.deepEqual(faults('good.ts', good), [])
    const bad = `import type { Data1Create } from './tables.ts'
export const create: Data1Create = { f2: 'hot' }
export const other: Data1Create = { f99: 'x' }
export const fixed: Data1Create = { f1: 'A', update_time: '2024-01-01 00:00:00' }
`
    const found = faults('bad.ts', bad)
    assert.equal(found.filter((line) => /bad\.ts\([234],/.test(line)).length, 3, found.join('\n'))
    const { tables } = (await import(pathToFileURL(join(folder, 'tables.ts')).href)) as { tables: Record<string, { type: string }> }
    assert.equal(Object.keys(tables).length, HOSTILE.length + 1)
    assert.equal(tables['Orders (2)']!.type, `data${HOSTILE.lastIndexOf('Orders') + 2}`)
  })

  it('prints all of it also to a reader that is slow', async () => {
    const text = await program.ok('types')
    // A pipe holds 64 KiB; the process may end with some more of its own.
    assert.ok(text.length > 66_000 && text.length < 80_000, String(text.length))
    const { out } = await program.start(['types'], { through: ['sh', '-c', '"$@" | (sleep 2; cat)', 'sh'] }).finished
    assert.equal(out, text)
  })

  it('prints those of the tables that are named', async () => {
    const text = await program.ok('types', '--table', 'Companies', '--table', '1')
    assert.equal(text.match(/^export interface/gm)!.length, 4)
    const { code, err } = await program.run('types', '--table', 'Nowhere')
    assert.deepEqual([code, err], [2, "kartoteka: There is no table 'Nowhere'.\n"])
  })
})
