import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { scratchDatabase } from '../support/scratch-database.ts'
import { scratchProgram } from '../support/scratch-program.ts'

it('a role that may not create pg_trgm is told in one warning of the log what to do', async () => {
  const { url, drop } = await scratchDatabase()
  const role = new URL(url).pathname.slice(1).replace('test', 'role')
  const owner = new pg.Client(url)
  await owner.connect()
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT CREATE ON SCHEMA public TO ${role}`)
  const address = new URL(url)
  address.username = role
  address.password = 'secret'
  const program = scratchProgram({ KARTOTEKA_DATABASE_URL: address.href, KARTOTEKA_LOG_LEVEL: 'warn' })
  try {
    const server = await program.serve()
    const { err } = await server.stop('SIGTERM')
    const lines = err.split('\n').filter((line) => line.includes('pg_trgm'))
    assert.equal(lines.length, 1, err)
    const { level, msg, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>
    assert.deepEqual([level, 'err' in rest], [40, false])
    assert.match(String(msg), /CREATE EXTENSION pg_trgm/)
  } finally {
    await program.remove()
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    await owner.end()
    await drop()
  }
})
