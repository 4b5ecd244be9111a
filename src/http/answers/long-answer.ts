import { LEFT, left } from '../../store/model/record.ts'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type Granted, type View, grant, showing } from '../../store/model/access.ts'
import { Abandoned, type Client } from '../../store/model/asker.ts'
import { atMost, type AtMost } from '../../store/scheduling/at-most.ts'
import { measureLeft, readLeft } from '../../store/records/left-values.ts'
import { getRecord } from '../../store/records/read-records.ts'
import type { ShownRecord } from '../../store/model/record.ts'
import type { Spool } from '../../store/files/spool.ts'
import { Stale } from '../../store/model/stale.ts'
import type { Store } from '../../store/ground/store.ts'
import type { Incoming, Reply } from '../routing/route.ts'
import { memo } from '../../memory/memo.ts'

/*
 * Answers with records whose long values were left in the database. The document is written to a file, value after value, and sent
 * from there: so the memory it takes does not depend on its size, and a slow client does not keep the database busy.
 */

/** Bytes of one write to the file. */
const PIECE = 262_144

const turnOf = memo((_: Store): AtMost => atMost(limits.longAnswers.most, limits.longAnswersWaiting.most))

/**
 * The same answer with all values; to HEAD, without a body and without its length. `wanted`: the attributes it shows.
 * @throws Stale where a record has changed since it was read; `answer.too_large`, `server.busy`
 */
export async function complete(
  { store, caller: { client }, isHead }: Pick<Incoming, 'store' | 'caller' | 'isHead'>,
  granted: View,
  records: readonly ShownRecord[],
  wanted: ReadonlySet<string> | undefined,
  reply: Reply,
): Promise<Reply> {
  if (!records.some(({ attributes }) => lacks(attributes, wanted))) return reply
  return turnOf(store)(async () => {
    const values = await measureLeft(store, granted, records, wanted)
    const bytes = values.flatMap((one) => one.values).reduce((sum, one) => sum + one.bytes, 0)
    if (bytes > limits.answer.most) throw fail('answer.too_large', { most: limits.answer.most })
    if (isHead) return { ...reply, body: undefined }
    return writeIntoFile(reply, await store.files.spool(), readLeft(store, granted, values), client)
  }, client)
}

/**
 * The answer to a change of one record. The change is committed, so the answer is neither queued nor refused. Where the record or its
 * table changes again meanwhile, the newer record is shown.
 * @throws `record.not_found`, `table.not_found`, `access.denied` where the record or the right to see it is gone by then; Abandoned
 */
export async function completeChanged(
  { store, caller }: Pick<Incoming, 'store' | 'caller'>,
  changed: { readonly granted: Granted<'read'>; readonly record: ShownRecord },
  wanted: ReadonlySet<string> | undefined,
  replyOf: (granted: Granted<'read'>, record: ShownRecord) => Reply | Promise<Reply>,
): Promise<Reply> {
  let { granted } = changed
  let record: ShownRecord | undefined = changed.record
  for (;;) {
    try {
      record ??= await getRecord(store, granted, changed.record.id)
      const reply = await replyOf(granted, record)
      if (!lacks(record.attributes, wanted)) return reply
      const values = await measureLeft(store, granted, [record], wanted)
      return await writeIntoFile(reply, await store.files.spool(true), readLeft(store, granted, values), caller.client)
    } catch (error) {
      if (!(error instanceof Stale)) throw error
      // The request must not be run again from the start: its change is committed.
      if (caller.client?.isGone) throw new Abandoned()
      await store.catchUp?.()
      granted = showing(grant('read', granted.table.id, caller, store.catalogue()), wanted)
      record = undefined
    }
  }
}

async function writeIntoFile(reply: Reply, spool: Spool, texts: AsyncGenerator<string>, client: Client | undefined): Promise<Reply> {
  try {
    await write(spool, JSON.stringify(reply.body).split(LEFT), texts, client)
  } catch (error) {
    await spool.close()
    throw error
  }
  return { ...reply, headers: { ...reply.headers, 'Content-Length': String(spool.size) }, body: spool.stream() }
}

function lacks(attributes: ShownRecord['attributes'], wanted: ReadonlySet<string> | undefined): boolean {
  for (const key in attributes) if (attributes[key] === left && (wanted?.has(key) ?? true)) return true
  return false
}

/** The parts of the JSON text of a document between its long values, and these values. */
async function write(spool: Spool, parts: readonly string[], texts: AsyncGenerator<string>, client: Client | undefined): Promise<void> {
  let ready = parts[0]!
  let next = 1
  for await (const text of texts) {
    if (client?.isGone) throw new Abandoned()
    ready += JSON.stringify(text) + parts[next++]!
    if (ready.length < PIECE) continue
    await spool.write(Buffer.from(ready))
    ready = ''
  }
  if (next !== parts.length) throw new Error('A document has other values than were left in the database.')
  await spool.write(Buffer.from(ready))
}
