import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { scratchProgram, type ScratchProgram, type Server } from '../../support/scratch-program.ts'

const PAGE = 4_096

describe('a server whose database file is damaged', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  let table: string
  let field: string
  before(async () => {
    program = scratchProgram()
    server = await program.serve()
    token = await program.token()
    const make = async (type: string, attributes: object) => {
      const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes } })
      assert.equal(status, 201, JSON.stringify(body))
      return body.data.id as string
    }
    table = await make('table', { table_name: 'Texts' })
    field = `f${await make('field', { table_id: Number(table), field_name: 'Text', field_type: 'longtext' })}`
    // A page of the file each.
    for (let i = 1; i <= 120; i++) await make(`data${table}`, { [field]: `record-${i} `.padEnd(3_000, 'text ') })
    await server.stop()
    const path = join(program.data, 'kartoteka.sqlite')
    const file = readFileSync(path)
    // The record, and the change that made it: which page of the file comes first is not certain.
    for (let place = file.indexOf('record-60 '); place !== -1; place = file.indexOf('record-60 ', place))
      file.fill(0xa5, place - (place % PAGE), place - (place % PAGE) + PAGE)
    writeFileSync(path, file)
    server = await program.serve()
  })
  after(() => program.remove())

  const codeOf = async (path: string) => {
    const { status, body } = await server.call(token, 'GET', path)
    return [status, body.errors?.[0].code]
  }

  it('answers 503 where the damaged page is needed, by whichever thread it is read', async () => {
    assert.deepEqual(await codeOf(`data${table}/1`), [200, undefined])
    assert.deepEqual(await codeOf(`data${table}/60`), [503, 'database.damaged'])
    assert.deepEqual(await codeOf(`data${table}?filter=contains(${field},'nowhere')`), [503, 'database.damaged'])
    const { status, body } = await server.call(token, 'DELETE', `data${table}/60`)
    assert.deepEqual([status, body.errors?.[0].code], [503, 'database.damaged'])
  })

  it('says once in the log what is to be done', async () => {
    await codeOf(`data${table}/60`)
    const { err } = await server.stop()
    assert.equal(err.split("look with 'kartoteka check'").length, 2, err)
  })
})
