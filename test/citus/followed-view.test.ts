import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCitus, type CitusCluster } from '../../scripts/citus-cluster.mjs'
import { ask } from '../../scripts/citus-template.mjs'
import { name, sql } from '../../src/sql/sql.ts'
import { inCommit, prepared } from '../support/in-commit.ts'
import { makeTable, person } from '../support/scene.ts'
import { startNodes, type Service } from '../support/service.ts'

const CLIENTS = 8
const KILLS = 4

/*
 * The coordinator, which has the log, commits before the workers, which have the records. Whether a change is shown to a caller with a read
 * filter depends on what the record holds.
 */

describe('the log over a Citus cluster, as a caller with a read filter follows it', () => {
  let cluster: CitusCluster
  let close: () => Promise<void>
  let here: Service
  let there: Service
  before(async () => {
    cluster = await startCitus({ workers: 2, settings: ['shared_buffers=32MB', 'synchronous_commit=on', 'citus.recover_2pc_interval=5s'] })
    const started = await startNodes(2, cluster.url)
    ;[here, there] = started.nodes as [Service, Service]
    close = started.close
  })
  after(async () => {
    await close?.()
    await cluster?.stop()
  })

  it('skips no change of a record that is not on its worker yet, also where that is lost in the middle of a commit', async () => {
    const { id, type, f } = await makeTable(here, 'Deals', { title: 'text', team: 'text' })
    const group = await here.make('group', { group_name: 'Team A' })
    await here.make('access', { group_id: Number(group), table_id: id, read: true, read_filter: `eq(${f.team},'a')` })
    const { token } = await person(here, Number(group), 'mira')

    let isWriting = true
    const create = { data: { type, attributes: { [f.title]: 'x', [f.team]: 'a' } } }
    const writing = Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (isWriting) if ((await here.send('POST', `/api/dev/${type}`, { body: create })).status !== 201) await sleep(50)
      }),
    )
    const seen: string[] = []
    let cursor = ''
    const follow = async (): Promise<boolean> => {
      const { status, text, json } = await there.get(`change?page[after]=${cursor}&page[limit]=50`, token)
      if (status === 503) return true
      assert.equal(status, 200, text)
      for (const { attributes } of json.data) if (attributes.table_id === id) seen.push(String(attributes.record_id))
      const isAtEnd = json.data.length === 0 && json.meta.cursor === cursor
      cursor = json.meta.cursor
      return !isAtEnd
    }
    const following = (async () => {
      while (isWriting) await follow()
    })()

    for (let round = 0; round < KILLS; round++) {
      await sleep(1_000)
      const server = cluster.servers[1 + (round % 2)]!
      await inCommit(server)
      await server.halt('SIGQUIT')
      await server.restart()
      await sleep(7_000)
    }
    isWriting = false
    await Promise.all([writing, following])
    for (const { url } of cluster.servers) while ((await ask(url, prepared)).rows.length > 0) await sleep(50)
    while (await follow()) await sleep(20)

    const [rows] = await here.store.db.read(sql`SELECT id FROM ${name(`data${id}`)} ORDER BY id`)
    const live = rows!.map(([one]) => String(one))
    const missed = live.filter((one) => !seen.includes(one))
    assert.deepEqual([missed, seen.length], [[], live.length])
  })
})
