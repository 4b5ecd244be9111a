import { batchOf, batchOfCreation, forgetFound } from './batches-of-acts.ts'
import { ApiError, send, type Document, type Resource } from './client.ts'
import { isConnectionLost } from './connection.ts'
import { queries } from './queries.ts'
import { changed, keepFiles } from './records.ts'

/* What the person has done on these pages since they were opened, and how it is taken back. The service keeps it all: these are the ids of its batches. */

/** An act: what was done by one deed of the person. */
export interface Done {
  readonly table: number
  /** Batches, in the order in which they were made. */
  readonly batches: () => Promise<readonly number[]>
  /** Prevents it, if the service has not got it yet; whether it was prevented. */
  readonly prevent?: (() => boolean) | undefined
  /** The attribute of a record whose value it changed. */
  readonly of?: string
  /** Takes it back by a change, where no undo of its batches would: known when it is done. Undefined: it was refused, or nothing takes it back. */
  readonly takeBack?: TakeBack | Promise<TakeBack | undefined>
  /** What it changed, where that is not a table of records. */
  readonly name?: string
  /** The act that it has taken back, or done again. */
  readonly source?: Done
  /** The job that has done it, or whose work it has taken back. */
  readonly job?: string
  /** Whether it was done by a job: to take it back takes its time. */
  readonly isLong?: boolean
  /** Whether what refuses to tell its batches may tell them later. */
  readonly isAsked?: boolean
  /** What an undo that was cut off has taken back of it; the service may have got one of the batch `tried` too. */
  readonly begun?: Changed & { readonly tried: number }
}

/** An act, whatever was taken back and done again of it since. */
export const firstOf = (act: Done): Done => act.source ?? act

let tell: (act: Done, isBack: boolean) => void = () => undefined

/** Calls this with each act that has been taken back, whichever way it was, or done again. */
export function whenTakenBack(listener: (act: Done, isBack: boolean) => void): void {
  tell = listener
}

interface Changed {
  readonly batches: readonly number[]
  readonly conflicts: number
}

/** `again`: does what was taken back once more. */
export type TakeBack = () => Promise<Changed & { readonly again?: TakeBack }>

/** The code with which an act says that it has not ended: it keeps its place until then. */
export const STILL_RUNS = 'job.still_runs'

/** Acts that are remembered. */
const MOST = 200

const done: Done[] = []
const undone: Done[] = []
/** How many persons had acts here before. What was begun for one of them says nothing to the next. */
let persons = 0

/** Remembers an act, as soon as it begins: `batches` are known when it is done. What was undone before cannot be done again after it. */
export function did(table: number, batches: Promise<readonly number[]>, prevent?: () => boolean): Done {
  batches.catch(() => undefined)
  return remember({ table, batches: () => batches, prevent })
}

/** The change of one attribute, whose answer does not name its batch. `value`: what it holds since; undefined: it was refused. */
export function didChange(table: number, id: string, attribute: string, value: Promise<unknown>, prevent?: () => boolean): Done {
  let found: Promise<readonly number[]> | undefined
  return remember({
    table,
    prevent,
    isAsked: true,
    of: `${table} ${id} ${attribute}`,
    batches: () =>
      (found ??= value
        .catch(() => undefined)
        .then((one) => (one === undefined ? [] : batchOf(table, id, attribute, one)))
        .catch((error: unknown) => {
          // It is looked for again.
          found = undefined
          throw error
        })),
  })
}

/** A job that changes records. `batch` is asked for when it is taken back; null: there is nothing to take back. @throws ApiError `STILL_RUNS` */
export const didByJob = (table: number, job: string, batch: () => Promise<number | null>): Done =>
  remember({ table, job, isLong: true, isAsked: true, batches: async () => [await batch()].filter((one) => one !== null) })

/**
 * Somebody takes back by a button what a job has done: an act in the place of that of the job. `batch` of the answer: by which it was taken back;
 * null: nothing has changed.
 */
export async function undoingJob<Answer extends { readonly batch: number | null }>(
  table: number,
  job: string,
  answer: Promise<Answer>,
): Promise<Answer> {
  const person = persons
  const { batch } = await answer
  if (person !== persons) return answer
  const at = done.findLastIndex((one) => firstOf(one).job === job)
  if (at >= 0) for (const one of done.splice(at, 1)) tell(firstOf(one), true)
  if (batch !== null) remember({ table, job, isLong: true, isAsked: true, batches: () => Promise.resolve([batch]) })
  return answer
}

const NONE = Promise.resolve<readonly number[]>([])

/**
 * A batch was taken back by a button: an act in the place of what has made it here. `by`: what took it back; null: nothing has changed. `isLong`: to
 * take that back takes its time.
 */
export async function tookBack(table: number, batch: number, by: number | null, isLong: boolean): Promise<void> {
  if (by === null) return
  const person = persons
  const acts = [...done]
  // Those that ask for their batches find out by themselves; of those on their way it cannot be one.
  const known = acts.map((one) => (one.isAsked || one.takeBack ? NONE : Promise.race([one.batches(), NONE]).catch(() => NONE)))
  const made = await Promise.all(known)
  if (person !== persons) return
  const its = new Set(acts.filter((_, i) => made[i]!.length === 1 && made[i]![0] === batch))
  if (its.size > 0) done.splice(0, done.length, ...done.filter((one) => !its.has(one)))
  for (const one of its) tell(firstOf(one), true)
  remember({ table, batches: () => Promise.resolve([by]), ...(isLong && { isLong }) })
}

/** A record that has just been made. */
export function didCreate(table: number, id: string): void {
  remember({ table, isAsked: true, batches: () => batchOfCreation(table, id) })
}

function remember(act: Done): Done {
  done.push(act)
  if (done.length > MOST) done.shift()
  undone.length = 0
  return act
}

/** Another person may sit down here. */
export function forgetActs(): void {
  persons++
  isLongOn = false
  last = Promise.resolve()
  done.length = 0
  undone.length = 0
  forgetFound()
}

/** The act that was begun last. */
export const lastAct = (): Done | undefined => done.at(-1)

/** A file that has come into a field, as the service knows it. */
export interface CameIn {
  readonly id: string
  readonly name: string
}

/**
 * Files that have come into a field, each by a batch of its own: one act. The service undoes no batch of an attribute behind which there was
 * another (DECISIONS K24), so they are taken away together, by one change; those that somebody has replaced or taken away since stay as they are.
 */
export function didAddFiles(table: number, id: string, attribute: string, files: readonly CameIn[]): void {
  remember({ table, batches: () => Promise.resolve([]), takeBack: () => takeAway(table, id, attribute, files) })
}

/** A change of the structure, as soon as it begins. It is no batch: another change takes it back. `name`: of what. */
export const didStructure = (name: string, takeBack: Promise<TakeBack | undefined>): Done =>
  remember({ table: 0, batches: () => NONE, takeBack: takeBack.catch(() => undefined), name })

async function takeAway(table: number, id: string, attribute: string, files: readonly CameIn[]): Promise<Changed> {
  const { etag } = await send<Resource>('GET', `data${table}/${encodeURIComponent(id)}`)
  const { data } = await send<readonly Resource[]>('GET', `file/${table}/${attribute}/${encodeURIComponent(id)}`)
  const isTheirs = ({ id: key, attributes }: Resource) => files.some((one) => one.id === key && one.name === attributes['file_name'])
  const kept = data.filter((one) => !isTheirs(one)).map(({ attributes }) => String(attributes['file_name']))
  const gone = data.length - kept.length
  if (gone === 0) return { batches: [], conflicts: files.length }
  const { data: record } = await keepFiles(table, attribute, id, kept, etag)
  return { batches: await batchOf(table, id, attribute, record.attributes[attribute]), conflicts: files.length - gone }
}

export interface TakenBack {
  readonly table: number
  /** Of what is not a table of records. */
  readonly name?: string | undefined
  /** What stays as it is, since somebody has changed it since. */
  readonly conflicts: number
  /** Nothing has changed and nothing is in the way: the person does not see any more what it was about. */
  readonly isUnseen?: boolean
}

/** Undefined: there is nothing to take back. `ignored`: the key was pressed while a job was taken back. */
type Gone = TakenBack | 'ignored' | undefined

/** Takes the last act back. `onLong`: of a job, as it begins. @throws ApiError */
export const undo = (onLong?: () => void): Promise<Gone> => inTurn(done, undone, { onLong })
/** Does again what was taken back last. @throws ApiError */
export const redo = (onLong?: () => void): Promise<Gone> => inTurn(undone, done, { onLong })
/** Takes one act back, whatever was done since; undefined: it was taken back already. @throws ApiError */
export const undoOf = (act: Done, onLong?: () => void): Promise<Gone> => inTurn(done, undone, { only: act, onLong })

interface Asked {
  readonly only?: Done
  readonly onLong?: (() => void) | undefined
}

/** Whether the person for whom something was begun has gone. */
type IsGone = () => boolean

let last: Promise<unknown> = Promise.resolve()
/** Jobs of which it was begun to take them back, or to do them again, and the one of them that is not done. */
let longs = 0
let isLongOn = false

/** Keys that are pressed fast are done one after the other, but for those before somebody sees that a job is taken back. */
function inTurn(from: Done[], to: Done[], asked: Asked): Promise<Gone> {
  if (isLongOn && !asked.only) {
    asked.onLong?.()
    return Promise.resolve('ignored')
  }
  const [before, person] = [longs, persons]
  const isGone = () => person !== persons
  const turn = last.then((): Gone | Promise<Gone> => {
    if (isGone()) return undefined
    return asked.only || before === longs ? goBack(from, to, asked, isGone) : 'ignored'
  })
  last = turn.catch(() => undefined)
  return turn
}

/** Finds the batches of later acts on the attribute of an act, the newest first, so that none of them is taken for its own. */
async function findLater(acts: readonly Done[], { of }: Done): Promise<void> {
  for (const one of acts.toReversed()) if (of !== undefined && one.of === of) await one.batches()
}

/** Refusals that end by themselves. */
const FOR_NOW: ReadonlySet<string> = new Set([STILL_RUNS, 'server.structure_changing', 'field.being_converted', 'batch.unfinished'])

/** Whether the same may be answered later: what was refused for good is not in the way of other acts. */
const isForNow = (error: unknown): boolean =>
  error instanceof ApiError && (FOR_NOW.has(error.code) || [0, 408, 429].includes(error.status) || error.status >= 500)

async function goBack(from: Done[], to: Done[], { only, onLong }: Asked, isGone: IsGone): Promise<TakenBack | undefined> {
  for (;;) {
    const at = only ? from.findLastIndex((one) => firstOf(one) === firstOf(only)) : from.length - 1
    const act = from[at]
    if (!act) return undefined
    from.splice(at, 1)
    const told = () => tell(firstOf(act), from === done)
    if (act.prevent?.()) {
      told()
      return { table: act.table, conflicts: 0 }
    }
    const putBack = (error: unknown, rest = act): never => {
      if (!isGone()) from.splice(at, 0, rest)
      throw error
    }
    const put = (by: readonly number[]) => {
      if (by.length > 0 && !isGone())
        to.push({ table: act.table, batches: () => Promise.resolve(by), source: firstOf(act), ...(act.isLong && { isLong: true }) })
    }
    if (isConnectionLost()) putBack(new ApiError(0, 'network', ''))
    if (act.takeBack) {
      const takeBack = await act.takeBack
      if (isGone()) return undefined
      // What was refused has changed nothing; what nothing takes back is not in the way of others.
      if (!takeBack) continue
      const { batches: by, conflicts, again } = await takeBack().catch(putBack)
      if (again && !isGone()) to.push({ ...act, takeBack: again, source: firstOf(act) })
      else put(by)
      told()
      if (act.table !== 0) await changed(act.table)
      return { table: act.table, conflicts, name: act.name }
    }
    await findLater(from.slice(at), act).catch(putBack)
    const made = await act.batches().catch((error: unknown) => {
      if (act.isAsked && isForNow(error)) putBack(error)
      throw error
    })
    // What was refused has changed nothing.
    if (made.length === 0) continue
    const back = await undoAll(act, made, { put, onLong, putBack, isGone })
    told()
    return back
  }
}

async function undoAll(
  act: Done,
  made: readonly number[],
  how: {
    /** Remembers what has taken it back. */
    put(by: readonly number[]): void
    readonly onLong: Asked['onLong']
    readonly putBack: (error: unknown, rest: Done) => never
    readonly isGone: IsGone
  },
): Promise<TakenBack> {
  const batches = [...(act.begun?.batches ?? [])]
  let conflicts = act.begun?.conflicts ?? 0
  const left = [...made]
  const isLong = act.isLong === true
  if (isLong) {
    longs++
    isLongOn = true
    how.onLong?.()
  }
  try {
    while (left.length > 0 && !how.isGone()) {
      const result = await undoBatch(left.at(-1)!, act.begun?.tried, how.isGone)
      left.pop()
      conflicts += result.conflicts
      if (result.batch !== null) batches.push(result.batch)
    }
  } catch (error) {
    const begun = { batches, conflicts, tried: left.at(-1)! }
    if (isForNow(error)) how.putBack(error, { ...act, batches: () => Promise.resolve(left), source: firstOf(act), begun })
    how.put([...batches])
    throw error
  } finally {
    // Also where it was cut off. The page of jobs offers to undo what is not undone.
    void queries.invalidateQueries({ queryKey: ['batch'] })
    if (left.length > 0) void changed(act.table)
    if (!how.isGone()) isLongOn = false
  }
  how.put(batches)
  await changed(act.table)
  return { table: act.table, conflicts, ...(batches.length === 0 && conflicts === 0 && { isUnseen: true }) }
}

/** A long one takes several requests. `tried`: the batch whose undo was asked for before, without an answer. */
async function undoBatch(batch: number, tried: number | undefined, isGone: IsGone): Promise<{ conflicts: number; batch: number | null }> {
  for (;;) {
    try {
      const { meta } = (await send('POST', `batch/${batch}/undo`)) as Document<unknown> & {
        meta: { done: boolean; conflicts: number; batch_id: number | null }
      }
      if (meta.done || isGone()) return { conflicts: meta.conflicts, batch: meta.batch_id }
    } catch (error) {
      if (batch !== tried || !(error instanceof ApiError && error.code === 'batch.undone')) throw error
      const { data } = await send<Resource>('GET', `batch/${batch}`)
      return { conflicts: 0, batch: Number(data.attributes['undone_by']) }
    }
  }
}
