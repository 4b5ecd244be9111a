import { useEffect, useId, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { effectsOf } from '../api/administration.ts'
import { ApiError } from '../api/client.ts'
import { convertAct } from '../api/convert-act.ts'
import { BY_JOB, conversionOf, convertByJob, foretold, forgetConversion, type Foretold } from '../api/conversions.ts'
import type { Job } from '../api/jobs.ts'
import { countOf, queries, tables } from '../api/queries.ts'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import { didStructure } from '../api/undo.ts'
import { useUndoOf } from '../ui/take-back.ts'
import { toast } from '../ui/toast.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import { ConversionJob } from './conversion-job.tsx'
import { kindOf, kinds } from './kinds.ts'
import { likelyTarget } from '../fields/likely-target.ts'
import { LinkTarget, useLinking } from './link-target.tsx'
import { LostValues, type LostValue } from './lost-values.tsx'
import { RulesBy } from './rules-by.tsx'
import { useDoing } from './use-doing.ts'

/** Another type for a field. What would be lost, and which rules of access name it, is shown before anything is done. */
export function Conversion({ field }: { readonly field: Field }) {
  const say = useWords()
  const id = useId()
  const doing = useDoing()
  const undoOf = useUndoOf(useTrouble())
  const all = useQuery(tables).data?.data ?? []
  const isLarge = Number(useQuery(countOf(field.table)).data?.meta?.total ?? 0) > BY_JOB
  const key = String(field.id)
  const effects = useQuery(effectsOf('field', key))
  const [job, setJob] = useState(() => conversionOf(key))
  const [failed, setFailed] = useState<ApiError>()
  const [type, setType] = useState(field.type)
  const [chosen, setTarget] = useState(field.target === null ? undefined : String(field.target))
  const [by, setBy] = useState<string>()
  const target = chosen ?? likelyTarget(field.title, all) ?? String(field.table)
  useEffect(() => setType(field.type), [field.type])
  const titleOf = (one: string) => {
    const kind = kindOf(one)
    return kind ? say(kind.title) : one
  }
  const again = (change: () => void) => {
    doing.forget()
    setFailed(undefined)
    change()
  }
  const choose = (next: string) => again(() => setType(next))
  const needsTarget = type !== field.type && kindOf(type)?.settings.includes('reference_table_id') === true
  const linked = all.find((one) => one.id === target)
  const linking = useLinking(field, needsTarget ? linked : undefined, by)
  const links = linking && { reference_table_id: Number(target), ...(linking.by !== '' && { reference_by: Number(linking.by) }) }
  const values = { field_type: type, ...(needsTarget && (links ?? { reference_table_id: Number(target) })) }
  const isOld = doing.is === 'refused' && lostOf(doing.error) === undefined
  // While the change is made, and once it is made or would lose something, nobody looks at a preview.
  const isOpen = job === undefined && failed === undefined && (doing.is === 'rest' || isOld)
  const preview = useQuery({ ...foretold(key, values), enabled: links !== undefined && isOpen })
  const convert = (isLossy: boolean) =>
    void doing.run(async () => {
      setFailed(undefined)
      const begun = isLarge ? await convertByJob(key, values, isLossy) : undefined
      if (begun !== undefined) return setJob(begun)
      const back = convertAct(key, values, isLossy)
      const act = didStructure(field.title, back)
      const way = (await back) && undoOf(act)
      toast(doneWords(isLossy ? (lost?.count ?? 0) : 0, titleOf(type)), way)
    })
  const doneWords = (count: number, to?: string) =>
    count > 0
      ? say('convertDoneLost', { field: field.title, count })
      : to === undefined
        ? say('convertDone', { field: field.title })
        : say('convertDoneTo', { field: field.title, type: to })
  function end(ended: Job | undefined) {
    forgetConversion(key)
    setJob(undefined)
    doing.forget()
    if (!ended || ended.state === 'done') {
      if (ended) toast(doneWords(Number(ended.result?.['lost'] ?? 0)))
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
    } else if (ended.state === 'cancelled') {
      setType(field.type)
      toast(say('convertCancelled'))
    } else {
      const { lost: count, examples } = ended.result ?? {}
      setFailed(new ApiError(409, ended.error?.code ?? '', ended.error?.detail ?? '', 0, new Map(), { count, examples }))
    }
  }
  const error = failed ?? (doing.is === 'refused' ? doing.error : undefined)
  // A filter of a rule says nothing with the other type.
  const isKept = error instanceof ApiError && error.code === 'field.in_use'
  const lost = lostOf(error) ?? (needsTarget && preview.data ? metNothing(preview.data) : undefined)
  const place = useRef<HTMLElement>(null)
  const why = useRef<HTMLDivElement>(null)
  const isRefused = lost?.isRefused === true
  // The focus was on the button that is gone. It goes to what would be lost, or to what is wrong, not to the button that loses it.
  useEffect(() => {
    const isHere = document.activeElement === document.body || place.current?.contains(document.activeElement)
    if ((isRefused || isOld) && isHere) why.current?.focus()
  }, [isRefused, isOld])
  // What finds the records may be unique no more.
  useEffect(() => {
    if (isOld) void queries.invalidateQueries({ queryKey: ['field'] })
  }, [isOld])
  if (job !== undefined) return <ConversionJob id={job} onEnd={end} />
  return (
    <section className="conversion" ref={place}>
      <div className="admin-field">
        <label className="name" htmlFor={id}>
          {say(type === field.type ? 'convertNow' : 'convertTo')}
        </label>
        <Select id={id} value={type} onChoose={choose}>
          {Object.keys(kinds)
            .filter((one) => one === field.type || one !== 'autonumber')
            .map((one) => (
              <option key={one} value={one}>
                {titleOf(one)}
              </option>
            ))}
          {!kindOf(field.type) && <option value={field.type}>{field.type}</option>}
        </Select>
      </div>
      {/* A job that was begun before the page was loaded again. */}
      {type === field.type && failed !== undefined && <Trouble error={failed} />}
      {type !== field.type && (
        <>
          <RulesBy key={String(isKept)} effects={effects.data} title={isKept ? 'rulesStop' : 'rulesConvert'} role="alert" />
          {needsTarget && (
            <LinkTarget
              field={field}
              tables={all}
              target={target}
              linking={linking}
              onTarget={(next) => again(() => setTarget(next))}
              onBy={(next) => again(() => setBy(next))}
            />
          )}
          {needsTarget && (
            <p role="status">
              {preview.data
                ? say('convertMet', {
                    count: preview.data.converted - preview.data.lost,
                    table: String(linked?.attributes['table_name'] ?? ''),
                  })
                : preview.isError
                  ? ''
                  : say('convertLooks')}
            </p>
          )}
          {lost && (
            <div
              ref={isOld ? undefined : why}
              tabIndex={-1}
              role={lost.isRefused ? 'alert' : 'group'}
              aria-label={lost.isRefused ? undefined : say(lost.title, { count: lost.count })}
            >
              <LostValues
                title={say(lost.title, { count: lost.count })}
                count={lost.count}
                examples={lost.examples}
                isEachOnce={!lost.isRefused}
                table={field.table}
              />
            </div>
          )}
          {error !== undefined && !lost?.isRefused && !isKept && (
            <div ref={why} tabIndex={-1}>
              <Trouble error={error} />
            </div>
          )}
          {error === undefined && needsTarget && preview.isError && <Trouble error={preview.error} again={() => void preview.refetch()} />}
          {error === undefined && !needsTarget && <p className="quiet small">{say('convertLead')}</p>}
          <div className="row wrap">
            {/* Two buttons, so that the focus does not stay; the second click of a double click was meant for the one before. */}
            {lost?.isRefused ? (
              <button
                key="lose"
                type="button"
                className="button bad"
                disabled={doing.is === 'saving'}
                onClick={({ detail }) => detail < 2 && convert(true)}
              >
                {say('convertLose', { count: lost.count })}
              </button>
            ) : (
              <button
                key="try"
                type="button"
                className="button line"
                disabled={doing.is === 'saving' || effects.isPending || (needsTarget && (!links || preview.isPending))}
                onClick={() => convert(false)}
              >
                {doing.is === 'saving' ? say('saving') : say('convertTry', { type: titleOf(type) })}
              </button>
            )}
            <button type="button" className="button" onClick={() => choose(field.type)}>
              {say('convertKeep', { type: titleOf(field.type) })}
            </button>
          </div>
        </>
      )}
    </section>
  )
}

interface Lost {
  readonly title: 'convertLost' | 'convertMetNone'
  readonly count: number
  readonly examples: readonly LostValue[]
  readonly isRefused: boolean
}

/** What the service has refused to lose. */
function lostOf(error: unknown): Lost | undefined {
  if (!(error instanceof ApiError) || error.code !== 'field.would_lose_data') return undefined
  const { count, examples } = error.meta ?? {}
  return { title: 'convertLost', count: Number(count ?? 0), examples: (examples ?? []) as readonly LostValue[], isRefused: true }
}

/** The same, before it is asked for. */
const metNothing = ({ lost, examples_lost }: Foretold): Lost | undefined =>
  lost === 0 ? undefined : { title: 'convertMetNone', count: lost, examples: examples_lost, isRefused: false }
