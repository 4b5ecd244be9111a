import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../support/random.ts'
import { bytesOf } from '../fuzz/wire.ts'
import type { ScratchProgram, Server } from '../support/scratch-program.ts'
import { requestOf, type Target } from './mixture.ts'

/* What goes on beside the mixture; whatever a chore makes it also takes away, so that the installation stays as large as it was. */

export interface Chores {
  /** How often each was done. */
  readonly done: Map<string, number>
  /** What went wrong, and which of them were done far too seldom: a sentence each. */
  stop(): Promise<string[]>
}

const IMPORTED = 2_000
/** An index is there after so many milliseconds. */
const INDEXED = 15_000
/** Each is done at least so many times less often than if it took no time. */
const SELDOM = 4

export function startChores(program: ScratchProgram, server: Server, target: Target, random: Random, password: string): Chores {
  const done = new Map<string, number>()
  const failed: string[] = []
  const began = performance.now()
  /** The record that is about to be restored. */
  let restoring: string | undefined
  const stopping = new AbortController()
  const call = async (method: string, path: string, data?: object) => {
    const answer = await server.call(target.token, method, path, data && { data })
    if (answer.status >= 400 && answer.status !== 503) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const eraseNewest = async (filter: string) => {
    const { data } = await call('GET', `trash?sort=-id&page[limit]=1&filter=${encodeURIComponent(filter)}`)
    if (data?.[0]) await call('DELETE', `trash/${data[0].id}`)
  }
  const chores: Readonly<Record<string, readonly [every: number, work: () => Promise<boolean | void>]>> = {
    import: [
      30_000,
      async () => {
        const lines = Array.from({ length: IMPORTED }, (_, n) => `imported ${n},${n}`)
        const { code, err } = await program.run(
          'import',
          'Imported',
          program.file('imported.csv', `Name,Number\n${lines.join('\n')}\n`),
          '--create',
        )
        if (code !== 0) throw new Error(err)
        const { data } = await call('GET', `table?filter=${encodeURIComponent("eq(table_name,'Imported')")}`)
        await call('DELETE', `table/${data[0].id}`)
        await eraseNewest("eq(kind,'table')")
      },
    ],
    'restore from the trash': [
      2_000,
      async () => {
        const id = target.made.shift()
        if (id === undefined) return false
        restoring = id
        await call('DELETE', `${target.type}/${id}`)
        const { data } = await call('GET', `trash?filter=${encodeURIComponent(`and(eq(kind,'record'),eq(item_id,${id}))`)}`)
        await call('POST', `trash/${data[0].id}/restore`)
        target.made.push(id)
        restoring = undefined
      },
    ],
    'empty the trash': [
      1_000,
      async () => {
        const { data } = await call('GET', `trash?page[limit]=50&filter=${encodeURIComponent("eq(kind,'record')")}`)
        for (const { id, attributes } of data)
          if (String(attributes.item_id) !== restoring) await server.call(target.token, 'DELETE', `trash/${id}`)
      },
    ],
    'change the structure, and build an index': [
      20_000,
      async () => {
        const { data } = await call('POST', 'field', {
          type: 'field',
          attributes: { table_id: target.table, field_name: `Extra ${random.int(1e9)}`, field_type: 'integer' },
        })
        const ready = `index?filter=${encodeURIComponent(`and(eq(table_id,${target.table}),eq(attribute,'f${data.id}'),eq(state,'ready'))`)}`
        for (const until = performance.now() + INDEXED; ; await sleep(200)) {
          await call('GET', `${target.type}?sort=f${data.id}`)
          if ((await call('GET', ready)).data?.length > 0) break
          if (performance.now() > until) throw new Error(`no index in ${INDEXED / 1_000} s`)
        }
        await call('DELETE', `field/${data.id}`)
        await eraseNewest("eq(kind,'field')")
      },
    ],
    'sign in': [
      5_000,
      async () => {
        const answer = await server.call('', 'POST', 'token', { data: { type: 'token', attributes: { login: 'soaker', password } } })
        if (answer.status !== 201 && answer.status !== 503) throw new Error(`sign-in: ${answer.status} ${JSON.stringify(answer.body)}`)
        if (answer.status === 201) await server.call(answer.body.data.attributes.token, 'DELETE', `token/${answer.body.data.id}`)
      },
    ],
    abandon: [300, () => abandon(Number(new URL(server.url).port), target, random)],
  }
  const running = Object.entries(chores).map(async ([name, [every, work]]) => {
    while (!stopping.signal.aborted) {
      try {
        if ((await work()) !== false) done.set(name, (done.get(name) ?? 0) + 1)
      } catch (error) {
        failed.push(`${name}: ${String(error).slice(0, 400)}`)
      }
      await sleep(every, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })
  return {
    done,
    async stop() {
      const took = performance.now() - began
      stopping.abort()
      await Promise.all(running)
      const seldom = Object.entries(chores)
        .filter(([name, [every]]) => (done.get(name) ?? 0) < Math.floor(took / every / SELDOM))
        .map(([name, [every]]) => `${name}: ${done.get(name) ?? 0} times, and it is to be done every ${every / 1_000} s`)
      return [...failed, ...seldom]
    },
  }
}

/** A client that asks for what takes a while, as no index serves parts of numbers, and goes; whether it went before it was answered. */
async function abandon(port: number, { token, type, field }: Target, random: Random): Promise<boolean> {
  const parts = Array.from({ length: 20 }, () => `contains(${field.amount},${10_000 + random.int(90_000)})`)
  const socket = connect(port, '127.0.0.1')
  let answered = false
  socket.on('error', () => undefined).on('data', () => (answered = true))
  socket.write(bytesOf(requestOf(token, 'GET', `${type}?filter=or(${parts.join(',')})`)))
  await sleep(random.int(40))
  socket.destroy()
  return !answered
}
