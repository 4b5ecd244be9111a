import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { programOfRun, type ScratchProgram } from '../support/scratch-program.ts'

/* The programs of docs/guides/typed-client.md compile with the settings that the guide names, and do what they say against a real server. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const guide = readFileSync(join(root, 'docs/guides/typed-client.md'), 'utf8')
const programs = Array.from(guide.matchAll(/^```ts\n(.*?)^```$/gms), ([, text]) => text!)

/** With what the guide says besides the settings of any strict program. */
const tsconfig = {
  compilerOptions: {
    target: 'es2024', lib: ['es2024'], module: 'nodenext', strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true, skipLibCheck: true, types: ['node'], allowImportingTsExtensions: true, noEmit: true,
  },
} // prettier-ignore

describe('docs/guides/typed-client.md', () => {
  let program: ScratchProgram
  let folder: string
  let url: string
  let token: string
  before(async () => {
    program = await programOfRun()
    folder = mkdtempSync(join(tmpdir(), 'kartoteka-typed-client-'))
    const server = await program.serve()
    url = server.url
    token = await program.token()
    const make = async (type: string, attributes: object): Promise<number> => {
      const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes } })
      assert.equal(status, 201, JSON.stringify(body))
      return Number(body.data.id)
    }
    const table_id = await make('table', { table_name: 'Deals' })
    await make('field', { table_id, field_name: 'Subject', field_type: 'text' })
    await make('field', { table_id, field_name: 'Stage', field_type: 'list', options: ['New', 'Won'] })
    await make('field', { table_id, field_name: 'Amount', field_type: 'decimal' })
    cpSync(join(root, 'client'), join(folder, 'client'), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
    writeFileSync(join(folder, 'tables.ts'), await program.ok('types'))
  })
  after(async () => {
    await program.remove()
    rmSync(folder, { recursive: true })
  })

  const compile = () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    })
    return { status, stdout }
  }

  it('has programs that compile, and not with a label, a field or an import that does not exist', () => {
    assert.ok(programs.length > 0)
    for (const [i, text] of programs.entries()) writeFileSync(join(folder, `program-${i}.ts`), text)
    assert.deepEqual(compile(), { status: 0, stdout: '' })
    for (const [word, other] of [
      ["'Won'", "'Lost'"],
      ['Amount', 'Price'],
      ['gte', 'atLeast'],
    ] as const) {
      writeFileSync(join(folder, 'program-0.ts'), programs[0]!.replaceAll(word, other))
      assert.notEqual(compile().status, 0, other)
    }
    writeFileSync(join(folder, 'program-0.ts'), programs[0]!)
  })

  it('has programs that run', () => {
    for (const [i, text] of programs.entries()) {
      const file = join(folder, `run-${i}.ts`)
      writeFileSync(file, text.replace('https://crm.example.com', url).replace('Amount, 1000', 'Amount, 0'))
      const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', env: { ...process.env, TOKEN: token } })
      assert.deepEqual([status, stdout], [0, 'Ten bicycles\n'], stderr)
    }
  })
})
