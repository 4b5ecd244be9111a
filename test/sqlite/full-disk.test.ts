import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { scratchProgram, type Answer, type ScratchProgram, type Server } from '../support/scratch-program.ts'
import { limitOnFiles, smallFileSystem, type SmallDisk } from '../support/small-disk.ts'

/* The real program on SQLite, on a disk that fills while it is written to. */

/** MiB; what there is before the disk is full takes some ten. */
const ROOM = 32
const CLIENTS = 4

describe('on a disk that is full', () => {
  for (const [what, make] of [
    ['a small file system', () => smallFileSystem(ROOM)],
    ['a limit on the size of files', limitOnFiles],
  ] as const) {
    it(`writes are refused, reads go on, and all is well again when there is room, without a restart: ${what}`, async (context) => {
      const disk = await make()
      if (typeof disk === 'string') return context.skip(disk)
      const program = scratchProgram({ KARTOTEKA_DATA: disk.directory, KARTOTEKA_LOG_LEVEL: 'silent' }, disk.through)
      try {
        await fillAndFree(program, disk)
      } finally {
        await program.remove()
        disk.remove()
      }
    })
  }
})

async function fillAndFree(program: ScratchProgram, disk: SmallDisk): Promise<void> {
  const lines = Array.from({ length: 1_500 }, (_, i) => `Name ${i},${i % 7}`).join('\n')
  await program.ok('import', 'Goods', program.file('goods.csv', `Name,Kind\n${lines}\n`), '--create')
  await program.ok('field', 'create', 'Goods', 'Story', 'longtext')
  await program.ok('field', 'create', 'Goods', 'Paper', 'file')
  let server = await program.serve()
  const token = await program.token()
  const scene: Scene = { token, server, made: new Map() }

  for (const round of [1, 2]) {
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, i) => createUntilRefused(scene, `${round}-${i}`)))
    await until(() => scene.made.size > round * 20)
    disk.fill(server.child.pid!)
    await clients
    await refusesAllWrites(scene)
    await showsAll(scene)
    disk.free(server.child.pid!)
    await worksAgain(scene, round)
  }

  // A kill on the full disk, a start on it, and an end.
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, i) => createUntilRefused(scene, `3-${i}`)))
  disk.fill(server.child.pid!)
  await clients
  await server.stop('SIGKILL')
  assert.equal(await program.ok('check'), 'Everything is in order.\n')
  server = scene.server = await program.serve()
  disk.fill(server.child.pid!)
  await refusesAllWrites(scene)
  await showsAll(scene)
  const { code, err } = await server.stop()
  assert.deepEqual([code, err], [0, ''])
  disk.free(server.child.pid!)

  scene.server = await program.serve()
  await showsAll(scene)
  await worksAgain(scene, 3)
  assert.equal(await program.ok('check'), 'Everything is in order.\n')
  assert.equal((await scene.server.stop()).code, 0)
  assert.deepEqual(
    readdirSync(disk.here, { recursive: true }).filter((name) => String(name).endsWith('.part')),
    [],
  )
}

interface Scene {
  readonly token: string
  server: Server
  /** What was answered 201: ids by marker. */
  readonly made: Map<string, string>
}

const record = (marker: string) => ({ data: { type: 'data1', attributes: { f1: marker, f3: `${marker} `.repeat(1_000) } } })
const document = (type: string, attributes: object, id?: string) => ({ data: { type, ...(id !== undefined && { id }), attributes } })

const create = ({ server, token }: Scene, marker: string) =>
  server.call(token, 'POST', 'data1', record(marker), { 'Idempotency-Key': marker })

/** Creates one after the other until the disk takes no more. */
async function createUntilRefused(scene: Scene, name: string): Promise<void> {
  for (let i = 0; ; i++) {
    const answer = await create(scene, `${name}-${i}`)
    if (answer.status !== 201) return isRefused(answer)
    scene.made.set(`${name}-${i}`, answer.body.data.id)
  }
}

function isRefused({ status, headers, body }: Answer): void {
  assert.deepEqual([status, body.errors[0].code], [503, 'server.disk_full'])
  assert.ok(Number(headers.get('retry-after')) > 0)
}

async function refusesAllWrites(scene: Scene): Promise<void> {
  const { server, token } = scene
  const paper = [{ file_name: 'a.txt', content: 'x'.repeat(100_000) }]
  const writes = [
    ['POST', 'data1', record('x')],
    ['POST', 'data1', document('data1', { f1: 'x', f4: paper })],
    ['PATCH', 'data1/7', document('data1', { f3: 'y'.repeat(100_000) }, '7')],
    ['DELETE', 'data1/7'],
    ['POST', 'field', document('field', { table_id: 1, field_name: 'More', field_type: 'text', unique: true })],
    ['POST', 'user', document('user', { login: 'mira', fio: 'Mira', password: 'long enough', group_id: 3 })],
  ] as const
  for (const [method, path, body] of writes) isRefused(await server.call(token, method, path, body))
}

/** Records by one, in lists of every kind, and by the total. */
async function showsAll({ server, token, made }: Scene): Promise<void> {
  for (const [marker, id] of made) {
    const { status, body } = await server.call(token, 'GET', `data1/${id}`)
    assert.deepEqual([status, body.data?.attributes.f1], [200, marker])
  }
  const all = 1_500 + made.size
  for (const [query, total] of [
    ['', all],
    ['&sort=-f1', all],
    ["&filter=contains(f1,'-')", made.size],
    ['&filter=eq(f2,3)&sort=f1', 214],
  ] as const) {
    const { status, body } = await server.call(token, 'GET', `data1?page[limit]=1${query}`)
    assert.deepEqual([status, body.meta?.total], [200, total], query)
  }
}

/** At the first try; and a key that was answered makes no double. */
async function worksAgain(scene: Scene, round: number): Promise<void> {
  const { server, token, made } = scene
  for (const name of [`again-${round}`, `once-more-${round}`]) {
    const answer = await create(scene, name)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    made.set(name, answer.body.data.id)
  }
  for (const [marker, id] of made) assert.equal((await create(scene, marker)).body.data.id, id)
  const paper = document('data1', { f4: [{ file_name: 'a.txt', content: 'x'.repeat(50_000) }] }, '7')
  assert.equal((await server.call(token, 'PATCH', 'data1/7', paper)).status, 200)
  const field = document('field', { table_id: 1, field_name: `Round ${round}`, field_type: 'text' })
  assert.equal((await server.call(token, 'POST', 'field', field)).status, 201)
  await showsAll(scene)
}

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((next) => setTimeout(next, 1))
}
