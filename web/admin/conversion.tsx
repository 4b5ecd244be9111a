import { useEffect, useId, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { change } from '../api/administration.ts'
import { ApiError } from '../api/client.ts'
import { BY_JOB, conversionOf, convertByJob, forgetConversion } from '../api/conversions.ts'
import type { Job } from '../api/jobs.ts'
import { countOf, queries, tables } from '../api/queries.ts'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { ConversionJob } from './conversion-job.tsx'
import { kindOf, kinds } from './kinds.ts'
import { likelyTarget } from './likely-target.ts'
import { useDoing } from './use-doing.ts'

/** Another type for a field. What would be lost is shown before anything is. */
export function Conversion({ field }: { readonly field: Field }) {
  const say = useWords()
  const id = useId()
  const doing = useDoing()
  const all = useQuery(tables).data?.data ?? []
  const isLarge = Number(useQuery(countOf(field.table)).data?.meta?.total ?? 0) > BY_JOB
  const key = String(field.id)
  const [job, setJob] = useState(() => conversionOf(key))
  const [failed, setFailed] = useState<ApiError>()
  const [type, setType] = useState(field.type)
  const [chosen, setTarget] = useState(field.target === undefined ? undefined : String(field.target))
  const target = chosen ?? likelyTarget(field.title, all) ?? String(field.table)
  useEffect(() => setType(field.type), [field.type])
  const titleOf = (one: string) => {
    const kind = kindOf(one)
    return kind ? say(kind.title) : one
  }
  const choose = (next: string) => {
    doing.forget()
    setFailed(undefined)
    setType(next)
  }
  const needsTarget = kindOf(type)?.settings.includes('reference_table_id') === true
  const convert = (isLossy: boolean) =>
    void doing.run(async () => {
      setFailed(undefined)
      const values = { field_type: type, ...(needsTarget && { reference_table_id: Number(target) }) }
      const begun = isLarge ? await convertByJob(key, values, isLossy) : undefined
      if (begun === undefined) await change('field', key, values, isLossy)
      else setJob(begun)
    })
  function end(ended: Job | undefined) {
    forgetConversion(key)
    setJob(undefined)
    doing.forget()
    if (!ended || ended.state === 'done') {
      if (ended) toast(say('convertDone', { field: field.title }))
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
  const lost = error instanceof ApiError && error.code === 'field.would_lose_data' ? error.meta : undefined
  const count = Number(lost?.['count'] ?? 0)
  const examples = (lost?.['examples'] ?? []) as readonly { readonly record_id: string; readonly value: string }[]
  if (job !== undefined) return <ConversionJob id={job} onEnd={end} />
  return (
    <section className="conversion">
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
      {type !== field.type && (
        <>
          {needsTarget && (
            <div className="admin-field">
              <label className="name" htmlFor={`${id}-target`}>
                {say('fieldTarget')}
              </label>
              <Select id={`${id}-target`} value={target} onChoose={setTarget}>
                {all.map((one) => (
                  <option key={one.id} value={one.id}>
                    {String(one.attributes['table_name'])}
                  </option>
                ))}
              </Select>
            </div>
          )}
          {lost ? (
            <div role="alert">
              <h3>{say('convertLost', { count })}</h3>
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{say('convertExample')}</th>
                    <th scope="col">{say('convertRecord')}</th>
                  </tr>
                </thead>
                <tbody>
                  {examples.map(({ record_id, value }) => (
                    <tr key={record_id}>
                      <th scope="row" className="cut">
                        {value}
                      </th>
                      <td>
                        <a className="text-link" href={`/t/${field.table}/${encodeURIComponent(record_id)}`}>
                          {record_id}
                        </a>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <p>{say('convertNoUndo')}</p>
            </div>
          ) : error !== undefined ? (
            <Trouble error={error} />
          ) : (
            <p className="quiet small">
              {say('convertLead')} {needsTarget && say('convertLeadLink')}
            </p>
          )}
          <div className="row wrap">
            {lost ? (
              <button type="button" className="button bad" onClick={() => convert(true)}>
                {say('convertLose', { count })}
              </button>
            ) : (
              <button type="button" className="button line" disabled={doing.is === 'saving'} onClick={() => convert(false)}>
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
