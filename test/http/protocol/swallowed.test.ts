import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { localFiles } from '../../../src/store/files/local-files.ts'
import { startService } from '../../support/service.ts'

describe('an error of the service itself', () => {
  it('in a rule of rights is answered as one, not as a table without records', async () => {
    const server = await startService()
    try {
      const { id } = await server.table('Deals', { title: 'text' })
      const record = await server.make(`data${id}`, {})
      const group = await server.make('group', { group_name: 'Sellers' })
      const readFilter = "gt(add_time,'2024-01-01T00:00:00+03:00')"
      await server.make('access', { table_id: id, group_id: Number(group), read: true, read_filter: readFilter })
      const seller = await server.tokenOf(Number(group))
      assert.equal((await server.get(`data${id}/${record}`, seller)).status, 200)

      const { timeZone } = server.store.context
      Object.defineProperty(server.store.context, 'timeZone', {
        configurable: true,
        get() {
          throw new TypeError('a mistake of ours')
        },
      })
      const { status, json } = await server.get(`data${id}/${record}`, seller)
      Object.defineProperty(server.store.context, 'timeZone', { value: timeZone })
      assert.deepEqual([status, json.errors[0].code], [500, 'server.internal'])
      const told = server.logged.filter(({ level }) => level === 'error').map(({ details }) => (details['err'] as Error).message)
      assert.deepEqual(told, ['a mistake of ours'])
    } finally {
      await server.close()
    }
  })

  it('in reading the directory of files is thrown: it does not mean that there are none', async () => {
    const server = await startService()
    const list = async (directory: string) => {
      let found = 0
      for await (const _ of localFiles(directory).list()) found++
      return found
    }
    try {
      assert.equal(await list(join(server.directory, 'nothing')), 0)
      const file = join(server.directory, 'a-file')
      writeFileSync(file, '')
      await assert.rejects(list(file), { code: 'ENOTDIR' })
    } finally {
      await server.close()
    }
  })
})
