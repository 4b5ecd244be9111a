import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError, type Document, type Resource } from './client.ts'
import { writeQueue, type Write } from './write-queue.ts'

/** A service with one record, whose answers may get lost, and a queue before it. */
function scene(attributes: Record<string, unknown> = { f1: 'a', f2: 'b' }) {
  let version = 1
  const held = { ...attributes }
  const log: string[] = []
  const kept = new Map<string, Write>()
  const timers: (() => void)[] = []
  let signedOut = 0
  let reads = 0
  /** What becomes of the next requests: reach = the service gets it; answer = the page hears of it. */
  const fates: ('ok' | 'lost' | 'answer lost' | 'signed out' | 'refused')[] = []
  const document = (): Document<Resource> => ({ data: { type: 'data7', id: '1', attributes: { ...held } }, etag: `"${version}"` })
  const queue = writeQueue({
    async save({ values, etag, isSure }) {
      const fate = fates.shift() ?? 'ok'
      await Promise.resolve()
      if (fate === 'lost') throw new ApiError(0, 'network', '')
      if (fate === 'signed out') throw new ApiError(401, 'auth.invalid', '')
      if (fate === 'refused') throw new ApiError(422, 'field.invalid_value', 'No.')
      if (!(isSure && etag === undefined) && etag !== `"${version}"`) throw new ApiError(412, 'record.stale', '')
      write(values)
      if (fate === 'answer lost') throw new ApiError(0, 'network', '')
      return document()
    },
    async read() {
      reads++
      return document()
    },
    keep: (key, one) => (one ? kept.set(key, one) : kept.delete(key)),
    onRecord: () => undefined,
    onSignedOut: () => void signedOut++,
    onChange: () => undefined,
    later: (go) => {
      timers.push(go)
      return () => void timers.splice(timers.indexOf(go) >>> 0, 1)
    },
  })
  function write(values: object) {
    Object.assign(held, values)
    version++
    log.push(JSON.stringify(values))
  }
  let keys = 0
  return {
    queue,
    held,
    log,
    kept,
    fates,
    timers,
    document,
    signedOut: () => signedOut,
    reads: () => reads,
    somebodyElse: write,
    edit(name: string, value: unknown, seen = document()) {
      const key = String(++keys)
      queue.add({ key, at: keys, table: 7, record: '1', values: { [name]: value }, expected: { [name]: [seen.data.attributes[name]] }, etag: seen.etag }) // prettier-ignore
      return key
    },
    states: () => queue.entries().map(({ values, state }) => `${JSON.stringify(values)} ${state.is}`),
    async settle() {
      for (let i = 0; i < 50; i++) await Promise.resolve()
    },
    async tick() {
      timers.shift()?.()
      for (let i = 0; i < 50; i++) await Promise.resolve()
    },
  }
}

describe('writes on their way', () => {
  it('are sent one after the other, each over the version that the one before has made', async () => {
    const { edit, settle, log, states, kept } = scene()
    edit('f1', 'x')
    edit('f2', 'y')
    await settle()
    assert.deepEqual(log, ['{"f1":"x"}', '{"f2":"y"}'])
    assert.deepEqual(states(), ['{"f1":"x"} saved', '{"f2":"y"} saved'])
    assert.equal(kept.size, 0)
  })

  it('are saved once where the answer was lost', async () => {
    const { edit, settle, tick, log, states, fates, queue, kept } = scene()
    fates.push('answer lost')
    edit('f1', 'x')
    await settle()
    assert.deepEqual([states(), queue.isHeld(), kept.size], [['{"f1":"x"} waiting'], true, 1])
    await tick()
    assert.deepEqual(log, ['{"f1":"x"}'])
    assert.deepEqual([states(), queue.isHeld(), kept.size], [['{"f1":"x"} saved'], false, 0])
  })

  it('wait while the service is away; of two edits of one field the last is sent', async () => {
    const { edit, settle, tick, log, fates, kept, states } = scene()
    fates.push('lost', 'lost')
    edit('f1', 'x')
    await settle()
    edit('f1', 'y')
    edit('f2', 'z')
    await settle()
    assert.deepEqual([log, kept.size, states()], [[], 2, ['{"f1":"y"} waiting', '{"f2":"z"} waiting']])
    await tick()
    assert.deepEqual(log, [])
    await tick()
    assert.deepEqual(log, ['{"f1":"y"}', '{"f2":"z"}'])
  })

  it('are no clash with what the same person wrote before without an answer', async () => {
    const { edit, settle, tick, log, fates, states } = scene()
    const seen = scene().document()
    fates.push('answer lost')
    edit('f1', 'x', seen)
    await settle()
    edit('f1', 'y', seen)
    await tick()
    assert.deepEqual(log, ['{"f1":"x"}', '{"f1":"y"}'])
    assert.deepEqual(states(), ['{"f1":"y"} saved'])
  })

  it('let others change other fields, and ask where they have changed the same', async () => {
    const { edit, settle, tick, log, fates, states, queue, somebodyElse, document, held } = scene()
    const seen = document()
    somebodyElse({ f2: 'theirs' })
    edit('f1', 'x', seen)
    await settle()
    assert.deepEqual(states(), ['{"f1":"x"} saved'])
    // The answer to a write of another field must not hide that this one has changed.
    fates.push('lost')
    edit('f1', 'again', document())
    const key = edit('f2', 'mine', seen)
    await settle()
    await tick()
    assert.deepEqual(states(), ['{"f1":"again"} saved', '{"f2":"mine"} clash'])
    assert.equal(held['f2'], 'theirs')
    queue.insist(key)
    await settle()
    assert.deepEqual([log.at(-1), states().at(-1)], ['{"f2":"mine"}', '{"f2":"mine"} saved'])
    const other = edit('f2', 'mine again', seen)
    await settle()
    queue.give(other)
    assert.deepEqual(states(), ['{"f1":"again"} saved'])
  })

  it('of rows without a version read the record first: nobody is written over', async () => {
    const { edit, settle, log, states, somebodyElse, document } = scene()
    const { data } = document()
    edit('f1', 'x', { data })
    await settle()
    assert.deepEqual([log, states()], [['{"f1":"x"}'], ['{"f1":"x"} saved']])
    somebodyElse({ f2: 'theirs' })
    edit('f2', 'mine', { data })
    await settle()
    assert.deepEqual(states(), ['{"f1":"x"} saved', '{"f2":"mine"} clash'])
    assert.deepEqual(log.slice(1), ['{"f2":"theirs"}'])
  })

  it('of one of two values are sent without a version, though not again after a failure', async () => {
    const { queue, log, states, settle, tick, fates, kept, reads } = scene({ f1: '0' })
    const tick01 = (key: string, value: string, before: string) =>
      queue.add({ key, at: 1, table: 7, record: '1', values: { f1: value }, expected: { f1: [before] }, etag: undefined, isSure: true })
    tick01('a', '1', '0')
    await settle()
    assert.deepEqual([log, states(), reads()], [['{"f1":"1"}'], ['{"f1":"1"} saved'], 0])
    fates.push('lost')
    tick01('b', '0', '1')
    assert.equal(kept.get('b')?.isSure, undefined)
    await settle()
    assert.equal(queue.entries().find(({ key }) => key === 'b')?.isTried, true)
    await tick()
    assert.deepEqual([log, reads()], [['{"f1":"1"}', '{"f1":"0"}'], 1])
  })
  it('that are refused hold up no others, and are kept until they are given up', async () => {
    const { edit, settle, fates, states, queue, kept } = scene()
    fates.push('refused')
    const key = edit('f1', 'wrong')
    edit('f2', 'y')
    await settle()
    assert.deepEqual(states(), ['{"f1":"wrong"} refused', '{"f2":"y"} saved'])
    assert.equal(kept.size, 1)
    queue.give(key)
    assert.equal(kept.size, 0)
  })

  it('wait for the person when the session has ended, and nothing is sent for another one', async () => {
    const { edit, settle, tick, fates, signedOut, queue, kept, log } = scene()
    fates.push('signed out')
    edit('f1', 'x')
    await settle()
    assert.deepEqual([signedOut(), kept.size], [1, 1])
    queue.clear()
    await tick()
    assert.deepEqual([log, kept.size], [[], 1])
    for (const write of kept.values()) queue.add(write)
    await settle()
    assert.deepEqual(log, ['{"f1":"x"}'])
  })

  it('are the same to a person though the service writes them otherwise', async () => {
    for (const [sent, written] of [
      ['39.8', '39.80'],
      ['a\nb', 'a\r\nb'],
      ['10', '10'],
      ['-0.50', '-0.5'],
    ] as const) {
      // prettier-ignore
      const { edit, settle, tick, fates, states, somebodyElse, document } = scene()
      const seen = document()
      fates.push('lost')
      edit('f1', sent, seen)
      await settle()
      somebodyElse({ f1: written })
      await tick()
      assert.deepEqual(states(), [`${JSON.stringify({ f1: sent })} saved`])
    }
    const { edit, settle, tick, fates, states, somebodyElse, document } = scene()
    fates.push('lost')
    edit('f1', '10', document())
    await settle()
    somebodyElse({ f1: '100' })
    await tick()
    assert.deepEqual(states(), ['{"f1":"10"} clash'])
  })
})
