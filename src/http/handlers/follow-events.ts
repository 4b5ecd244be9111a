import { fail, Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { listenersOf, type Framing, type Listener, type Listeners } from '../../store/changes/listeners.ts'
import type { Subscription } from '../../store/changes/places.ts'
import { narrowingBy } from '../../store/changes/sharing.ts'
import { mustBeKept, NOW } from '../../store/changes/follow-changes.ts'
import type { Change } from '../../store/changes/list-changes.ts'
import { grant, type Caller } from '../../store/model/access.ts'
import type { Store } from '../../store/ground/store.ts'
import { followJobs } from '../../store/jobs/follow-jobs.ts'
import { answers } from '../answers/described.ts'
import { change } from '../resources/change.ts'
import { job } from '../resources/job.ts'
import { toResource } from '../resources/resource.ts'
import { cursor, id, ids, oneOf } from '../routing/readers.ts'
import { route, type Streamed } from '../routing/route.ts'

const tellsJobs = oneOf(
  '`true`: also events `job`, which tell how the [jobs](jobs.md) go that the caller sees; `only`: these, and no changes, so without the parameters above. Default: `false`.',
  'false',
  'true',
  'only',
)

export const followEvents = route({
  method: 'GET',
  path: '/api/dev/events',
  says: 'Sends the changes of records as they happen (server-sent events), and how jobs go if that is asked for, until the client disconnects or its token ends.',
  token: 'tables',
  answers: answers({ media: 'text/event-stream' }),
  headers: ['Last-Event-ID'],
  fails: ['change.expired', 'events.too_many', 'table.not_found', 'filter.unknown_saved_filter'],
  query: {
    tables: ids(
      'Ids of tables, separated by commas: only their changes. 0: changes of structure, rights and users, for administrators. Default: all that the caller may read.',
    ),
    saved_filter: id(
      'The id of a saved filter: of its table, changes of the records that meet it. A record that comes into it is told as `create`, one that leaves it as `delete`. A change of the filter takes effect within 15 s.',
    ),
    after: cursor(
      'A cursor: also the changes that came after it. Empty: from the oldest. Default: from now on. `Last-Event-ID` counts instead, if it is sent.',
    ),
    jobEvents: tellsJobs,
  },

  async run(request) {
    const { store, caller, catalogue, query } = request
    const filterId = query.saved_filter
    const isOnly = query.jobEvents === 'only'
    if (isOnly && (query.tables || filterId !== 0 || query.after !== undefined)) throw fail('parameter.invalid', { why: ONLY }, atJobs)
    for (const table of query.tables ?? []) mustFollow(caller, catalogue, table)
    const tables = isOnly
      ? new Set<number>()
      : filterId === 0
        ? query.tables
        : new Set([...(query.tables ?? []), await tableOf(store, caller, filterId)])
    const last = request.header('Last-Event-ID') ?? ''
    const from = last !== '' ? position(last) : query.after === NOW ? undefined : query.after
    const after = isOnly ? undefined : from
    if (after !== undefined) await mustBeKept(store, after)
    const listeners = listenersOf(store, framingOf(store))
    listeners.mustHaveRoom(caller)
    const jobsOf = query.jobEvents === 'false' ? undefined : (tell: (event: string) => void) => tellJobs(store, caller, tell)
    return { status: 200, headers, body: streamed(listeners, { caller, tables, filterId, after }, jobsOf) }
  },
})

const ONLY = 'With jobEvents=only there are no changes of records to choose by tables, saved_filter or after.'
const atJobs = { source: { parameter: 'jobEvents' } }

/** They have no id: they are not in the log, and whoever comes back reads the jobs. Returns how to end that. */
const tellJobs = (store: Store, { tokenId }: Caller, tell: (event: string) => void): Promise<() => void> =>
  followJobs(store, {
    tokenId,
    tell: (one, caller) => tell(`event: job\ndata: ${JSON.stringify(toResource(job, { store, caller }, one))}\n\n`),
  })

const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }

/** Table 0: changes of structure, rights and users, for administrators. */
function mustFollow(caller: Caller, catalogue: Parameters<typeof grant>[3], table: number): void {
  if (table !== 0) grant('read', table, caller, catalogue)
  else if (!caller.administrator) throw fail('access.denied', { what: 'read changes of structure and rights' })
}

/** The table of a saved filter. */
async function tableOf(store: Store, caller: Caller, filterId: number): Promise<number> {
  try {
    const [table] = [...(await narrowingBy(store, caller, filterId)).keys()]
    return table!
  } catch (error) {
    throw error instanceof Failure ? error.at({ source: { parameter: 'saved_filter' } }) : error
  }
}

function position(last: string): number {
  if (/^[0-9]{1,16}$/.test(last)) return Number(last)
  throw fail('header.invalid', { why: 'Last-Event-ID is not the id of an event.' }, { source: { header: 'Last-Event-ID' } })
}

/** Milliseconds after which a client that lost its connection comes back (`retry`). */
const RETRY = 2_000

/** How many streams there are, and the bytes that wait for their clients. */
export const loadOfStreams = (store: Store): ReturnType<Listeners['load']> => listenersOf(store, framingOf(store)).load()

/** The same for all callers: the first one's serves all (`listenersOf`). */
const framingOf = (store: Store): Framing => ({
  form: (one, caller) => `event: change\nid: ${one.id}\ndata: ${JSON.stringify(toResource(change, { store, caller }, asInList(one)))}\n\n`,
  position: (at) => `:\nretry: ${RETRY}\n${at < 0 ? '' : `id: ${at}\n`}\n`,
})

/** Without values that a list would leave out. */
function asInList(one: Change): Change {
  let length = 0
  for (const { from, to } of Object.values(one.changes ?? {})) length += (from?.length ?? 0) + (to?.length ?? 0)
  return length > limits.changeInList.most ? { ...one, changes: null } : one
}

/** `jobsOf` tells of jobs from the moment on in which it resolves. */
function streamed(
  listeners: Listeners,
  subscription: Subscription,
  jobsOf?: (tell: (event: string) => void) => Promise<() => void>,
): Streamed {
  return {
    async *parts(end) {
      let listener: Listener | undefined
      const leave = await jobsOf?.((event) => listener?.send(event))
      const stop = () => listener?.end()
      try {
        listener = end.aborted ? undefined : listeners.listen(subscription)
        if (!listener) return
        end.addEventListener('abort', stop, { once: true })
        for (;;) {
          const part = await listener.next()
          if (!part) return
          yield part
        }
      } finally {
        leave?.()
        end.removeEventListener('abort', stop)
        stop()
      }
    },
  }
}
