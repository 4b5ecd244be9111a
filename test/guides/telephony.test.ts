import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { programsOf } from '../support/page-programs.ts'
import { scratchProgram } from '../support/scratch-program.ts'

/* Runs the program of docs/guides/telephony.md with the rights that the page names. */

const page = programsOf('guides/telephony.md', [{ language: 'php', file: 'telephony.php', program: 'php' }])

test('the program of docs/guides/telephony.md prints what the page says', async (t) => {
  if (page.here.length === 0) return t.diagnostic('php is not on this machine, so the program was not tried')
  const scratch = mkdtempSync(join(tmpdir(), 'kartoteka-telephony-'))
  const program = scratchProgram({ KARTOTEKA_PHONE_COUNTRY: 'RU' })
  try {
    const server = await program.serve()
    const admin = await program.token()
    const make = async (type: string, attributes: object) => {
      const { status, body } = await server.call(admin, 'POST', type, { data: { type, attributes } })
      assert.equal(status, 201, JSON.stringify(body))
      return Number(body.data.id)
    }
    const table_id = await make('table', { table_name: 'Companies' })
    for (const [field_name, field_type, more] of [
      ['Name', 'text', {}],
      ['Phone', 'phone', { unique: true }],
      ['Notes', 'longtext', {}],
      ['Contracts', 'file', {}],
    ] as const)
      // prettier-ignore
      await make('field', { table_id, field_name, field_type, ...more })
    const group_id = await make('group', { group_name: 'Telephony' })
    await make('access', { group_id, table_id, read: true, create: true, update: true })
    await make('user', { login: 'telephony', group_id, password: 'correct horse battery' })
    const token = (await program.ok('token', 'create', '--login', 'telephony')).trim()
    const file = join(scratch, 'telephony.php')
    writeFileSync(file, page.programIn('php'))
    const env = { PATH: process.env['PATH'], HOME: scratch, KARTOTEKA_URL: server.url, KARTOTEKA_TOKEN: token, TABLE: String(table_id) }
    const run = spawn('php', [file], { env, cwd: scratch, stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    run.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
    assert.deepEqual(await once(run, 'close'), [0, null])
    assert.equal(printed, page.programIn('text'))
    await server.stop()
  } finally {
    await program.remove()
    rmSync(scratch, { recursive: true })
  }
})
