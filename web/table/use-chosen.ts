import { useRef } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { batchOfJob, beginBulk } from '../api/jobs.ts'
import type { RecordPages } from '../api/pages.ts'
import { isBarred } from '../api/record-rights.ts'
import { MOST_AT_ONCE } from '../api/records.ts'
import { didByJob } from '../api/undo.ts'
import type { Field } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'
import type { Range } from '../grid/selection.ts'
import type { Writes } from '../grid/writes.ts'
import { useWords } from '../i18n/words.ts'
import { copied } from '../record/copied.ts'
import { useUndoOf } from '../ui/take-back.ts'
import { toast, toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'

export interface Chosen {
  /** Records of the range. */
  readonly count: number
  /** The fields whose values may be changed in all of them. */
  readonly settable: readonly Field[]
  readonly remove: false | (() => void)
  readonly duplicate: false | (() => void)
  /** Gives all of them one value; `''` empties it. */
  readonly set: false | ((field: Field, value: string) => void)
}

/** Records that are acted on together. */
export interface Rows {
  readonly count: number
  /** Whether they are all of the list. */
  readonly isWhole: boolean
  read(): Promise<readonly Resource[]>
  /** Whether there may be one among them that the person may write. */
  readonly mayHave: (right: 'update' | 'delete') => boolean
}

/** Those of a range of rows. Undefined: there are none. */
export function rowsOf(pages: RecordPages, range: Range): Rows | undefined {
  if (range.top < 0 || (pages.total ?? 0) === 0) return undefined
  const count = range.bottom - range.top + 1
  return {
    count,
    isWhole: range.top === 0 && count === pages.total,
    read: () => pages.read(range.top, range.bottom),
    mayHave: (right) => {
      for (let row = range.top; row <= range.bottom; row++) {
        const record = pages.record(row)
        if (!record || !isBarred(record, right)) return true
      }
      return false
    },
  }
}

/** What is done with the records of a range as a whole, as far as the person may do it. Undefined: there are none. */
export function useChosen({
  table,
  fields,
  rows,
  writes,
  rights,
  filter,
  onRemoved,
}: {
  readonly table: string
  readonly fields: readonly Field[]
  readonly rows: Rows | undefined
  readonly writes: Pick<Writes, 'putAll' | 'remove'>
  readonly rights: Readonly<Record<string, boolean>>
  /** Of the list. */
  readonly filter: string | undefined
  /** The records are gone: where they stood, others stand now. */
  onRemoved(): void
}): Chosen | undefined {
  const say = useWords()
  const trouble = useTrouble()
  const undoOf = useUndoOf(trouble)
  const navigate = useNavigate()
  const isBeginning = useRef(false)
  if (!rows) return undefined
  const { count, isWhole, mayHave } = rows
  const settable = fields.filter((field) => field.maySet && typeOf(field).Editor !== undefined)

  /** `work` answers why nothing was done, or what was done, in words. */
  const among = async (most: number, work: (records: readonly Resource[]) => Promise<Error | string | undefined>) => {
    if (count > most) return toast(say('tooManyRows', { count: most }))
    try {
      const working = work(await rows.read())
      // What the person does while it is written is another act.
      const undo = undoOf()
      const done = await working
      if (done instanceof Error) toastRefusal(say('nothingWritten', { detail: trouble(done) }))
      else if (done !== undefined) toast(done, undo)
    } catch (error) {
      toastRefusal(trouble(error))
    }
  }
  /** More than requests change at once, where they are all of the list, are changed by a job, which shows how far it is and is undone as a whole. */
  const isForJob = (most: number) => count > most && isWhole
  const byJob = async (act: Parameters<typeof beginBulk>[2]) => {
    // A second click, or a key that is held down, begins no second one.
    if (isBeginning.current) return
    isBeginning.current = true
    try {
      const job = await beginBulk(table, filter, act)
      didByJob(Number(table), job, () => batchOfJob(job))
      await navigate({ to: '/jobs' })
      toast(say('bulkBegun', { count }))
    } catch (error) {
      toastRefusal(trouble(error))
    } finally {
      isBeginning.current = false
    }
  }
  /** Without those that the person may not write, and what is told of these. */
  const allowed = (records: readonly Resource[], right: 'update' | 'delete') => {
    const own = records.filter((one) => !isBarred(one, right))
    const left = records.length - own.length
    return { own, told: (done: string) => (left > 0 ? `${done}. ${say('leftOut', { count: left })}` : done) }
  }
  const maySeveral = count === 1 || rights['bed'] === true
  const remove = async () =>
    isForJob(MOST_AT_ONCE)
      ? byJob('delete')
      : among(MOST_AT_ONCE, async (records) => {
          const { own, told } = allowed(records, 'delete')
          if (own.length === 0) return void toast(say('notYours'))
          const failure = await writes.remove(own.map(({ id }) => id))
          if (failure) return failure
          onRemoved()
          return told(say('recordsInTrash', { count: own.length }))
        })
  const duplicate = () =>
    among(MOST_AT_ONCE, async (records) => {
      const copies = records.map(({ attributes }) => copied(fields, attributes))
      // One is looked over before it is saved, as from its card.
      if (copies.length === 1) return void navigate({ to: '/t/$table/new', params: { table }, search: copies[0] as never })
      return (await writes.putAll([], copies)) ?? say('recordsCopied', { count: copies.length })
    })
  const set = async (field: Field, value: string) =>
    isForJob(MOST_CHANGED)
      ? byJob({ [field.name]: value })
      : among(MOST_CHANGED, async (records) => {
          const { own, told } = allowed(records, 'update')
          if (own.length === 0) return void toast(say('notYours'))
          const puts = own.flatMap(({ id: record, attributes }) => {
            const before = attributes[field.name]
            return String(before ?? '') === value ? [] : [{ record, attribute: field.name, value, before }]
          })
          return puts.length === 0 ? undefined : ((await writes.putAll(puts)) ?? told(say('recordsChanged', { count: puts.length })))
        })
  return {
    count,
    settable,
    remove: rights['delete'] === true && maySeveral && mayHave('delete') && (() => void remove()),
    duplicate: rights['create'] === true && maySeveral && (() => void duplicate()),
    set: rights['update'] === true && maySeveral && settable.length > 0 && mayHave('update') && ((field, value) => void set(field, value)),
  }
}

/** The most records that get a value at once: several requests. */
const MOST_CHANGED = 10_000
