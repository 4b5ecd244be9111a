import { useEffect, useRef, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { keep, kept } from '../api/kept.ts'
import { newKey } from '../api/keys.ts'
import { useOutbox } from '../api/outbox.ts'
import { changed, createRecord, fileObject, findOwn, type Values } from '../api/records.ts'
import { didCreate } from '../api/undo.ts'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { useQuestion } from '../ui/leaving.ts'
import { useUndoOf } from '../ui/take-back.ts'
import { toast, toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { linkBack, writeWanted, type Wanted } from './link-back.ts'
import { useQueuedFiles } from './use-queued-files.ts'

/** Milliseconds until a record is sent once more. */
const AGAIN = 1000

interface Draft {
  readonly values: Values
  /** Of the request that makes the record (Idempotency-Key). */
  readonly key: string
  /** Whether that has been sent, and not been refused. */
  readonly isSent: boolean
  /** The record, where it has been made and some of its files have not come; '': it is not known which it is. */
  readonly made?: string
  /** It was made with what was sent first, and another file has been chosen since. */
  readonly isOther?: boolean
  /** Files that were chosen before the page was loaded again: no browser keeps them. */
  readonly lost?: readonly NamedFile[]
}

interface NamedFile {
  readonly field: string
  readonly name: string
  /** The record is not made without it. */
  readonly isRequired: boolean
}

/** A record that is not there yet, what is typed and chosen for it, and how it is made; `given`: what it begins with, `wanted`: for what. */
export function useNewRecord(table: string, given: Values, wanted?: Wanted) {
  const navigate = useNavigate()
  const say = useWords()
  const trouble = useTrouble()
  const undoOf = useUndoOf(trouble)
  const queue = useQueuedFiles()
  const place = `${table} ${JSON.stringify(given)}${wanted ? ` ${writeWanted(wanted)}` : ''}`
  const [draft, setDraft] = useState<Draft>(() => kept<Draft>('new', place) ?? { values: given, key: newKey(), isSent: false })
  const { values, made, lost = [] } = draft
  const [error, setError] = useState<unknown>()
  const [isSaving, setIsSaving] = useState(false)
  /** Whether nothing more is kept of it. */
  const isOver = useRef(false)
  const forget = () => {
    isOver.current = true
    keep('new', place, undefined)
  }
  const names = JSON.stringify([
    ...lost,
    ...queue.files.map(({ field, file }) => ({ field: field.name, name: file.name, isRequired: field.isRequired })),
  ])
  const isBegun = values !== given || names !== '[]'
  useEffect(() => {
    if (isBegun && !isOver.current && (!isSaving || made !== undefined))
      keep('new', place, { ...draft, lost: JSON.parse(names) as readonly NamedFile[] })
  }, [isBegun, isSaving, place, draft, names])
  const isUnsaved = (made === undefined && (values !== given || isSaving)) || queue.files.length > 0
  useQuestion(() => isUnsaved, { isShown: isUnsaved, question: made === undefined ? 'leaveUnsaved' : 'leaveFiles', onLeave: forget })

  /** `isAuto`: nobody has asked for it now. */
  async function save(isAuto = false): Promise<void> {
    setIsSaving(true)
    setError(undefined)
    if (made !== undefined) return made === '' ? setIsSaving(false) : attach(made)
    const sent = { ...draft, isSent: true }
    keep('new', place, { ...sent, lost: JSON.parse(names) as readonly NamedFile[] })
    try {
      // No record is made without a file in a required field: the first comes within it, the others as those of other fields do.
      const within = queue.files.filter(({ field }, i, all) => field.isRequired && all.findIndex((one) => one.field.id === field.id) === i)
      const asked = await Promise.all(within.map(async ({ field, file }) => [field.name, [await fileObject(file)]] as const))
      const { data } = await createRecord(Number(table), { ...values, ...Object.fromEntries(asked) }, draft.key)
      for (const { key } of within) queue.drop(key)
      didCreate(Number(table), data.id)
      void changed(Number(table))
      if (!queue.isOpen()) return
      setDraft({ ...sent, made: data.id })
      await attach(data.id, isAuto && lost.length > 0)
    } catch (failure) {
      // The key stays with what was sent first: another key would make a second record.
      if (isCode(failure, 'idempotency.other_body')) return isMadeAlready(sent)
      const isAway =
        failure instanceof ApiError && (failure.status === 0 || failure.status >= 502 || isCode(failure, 'idempotency.running'))
      // What was refused made no record: what is sent next is another request.
      setDraft((before) => (isAway ? { ...before, isSent: true } : { ...before, key: newKey(), isSent: false }))
      setIsSaving(false)
      setError(failure)
    }
  }
  /** Whether the record for which it was made names it now; otherwise says why not. */
  async function isLinked(one: Wanted, made: string): Promise<boolean> {
    try {
      const isLinked = await linkBack(one, made)
      if (isLinked) toast(say('linked'), undoOf())
      else toastRefusal(say('notYours'))
      return isLinked
    } catch (failure) {
      toastRefusal(trouble(failure))
      return false
    }
  }
  /** An earlier request, whose answer was lost, has made the record: with another file, as one that is chosen after a reload may be. */
  async function isMadeAlready(sent: Draft): Promise<void> {
    const record = await findOwn(Number(table), values).catch(() => undefined)
    void changed(Number(table))
    setDraft({ ...sent, made: record ?? '', isOther: true })
    setIsSaving(false)
  }
  /** Its files, and then its page: where some have not come, the form stays, to send them again. */
  async function attach(record: string, isStaying = false): Promise<void> {
    const hadFiles = queue.files.length > 0
    const isAll = await queue.send(record)
    if (hadFiles) void changed(Number(table))
    // Who has left the form is not called away from what they do now.
    if (!queue.isOpen()) return
    setIsSaving(false)
    if (!isAll || isStaying) return
    forget()
    const next = wanted && (await isLinked(wanted, record)) ? wanted : { table, record }
    await navigate({ to: '/t/$table/$record', params: { table: next.table, record: next.record }, replace: true, ignoreBlocker: true })
  }
  // It may have been made though nobody heard of it: until that is known, the same is sent again, and nothing else.
  const { isAway } = useOutbox()
  const isWaiting = draft.isSent && !isSaving && made === undefined
  const mustChoose = isWaiting && lost.some(({ isRequired }) => isRequired)
  useEffect(() => {
    if (!isWaiting || isAway || mustChoose) return
    const timer = setTimeout(() => void save(true), AGAIN)
    return () => clearTimeout(timer)
  }, [isWaiting, isAway, mustChoose, error])

  const find = (those: readonly NamedFile[]) => setDraft((before) => ({ ...before, lost: those }))
  return {
    draft,
    made,
    lost,
    error,
    isSaving,
    isWaiting,
    /** What was sent cannot be sent again before its files are chosen again. */
    mustChoose,
    files: queue.files,
    save,
    setValues(next: (before: Values) => Values) {
      setDraft((before) => ({ ...before, values: next(before.values) }))
      // At once: the page may end before it is drawn again.
      if (!isOver.current) keep('new', place, { ...draft, values: next(values), lost: JSON.parse(names) as readonly NamedFile[] })
    },
    add(field: Field, files: readonly File[]) {
      queue.add(field, files)
      const isFound = (one: NamedFile) => one.field === field.name && (field.maxFiles === 1 || files.some(({ name }) => name === one.name))
      if (lost.some(isFound)) find(lost.filter((one) => !isFound(one)))
    },
    drop: queue.drop,
    leaveOut: () => find([]),
  }
}

const isCode = (failure: unknown, code: string): boolean => failure instanceof ApiError && failure.code === code
