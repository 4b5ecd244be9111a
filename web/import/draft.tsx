import { useState } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { endJob } from '../api/jobs.ts'
import { runImport } from '../api/imports.ts'
import { queries } from '../api/queries.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import { Check } from './check.tsx'
import { FieldsStep } from './fields-step.tsx'
import { FileStep } from './file-step.tsx'
import { useDraft } from './use-draft.ts'

/** The steps before the run. Each choice is kept by the service at once. */
export function Draft({ id, table, name }: { readonly id: string; readonly table: number; readonly name: string | undefined }) {
  const say = useWords()
  const trouble = useTrouble()
  const navigate = useNavigate()
  const search = useSearch({ from: '/framed/import' })
  const makes = table === 0
  const draft = useDraft(id, makes)
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const { step, trial } = search
  const { data } = draft.query
  const error = failure ?? draft.error

  async function begin(isTrial: boolean): Promise<void> {
    setBusy(true)
    try {
      await draft.settled()
      const begun = await runImport(id, isTrial)
      if (isTrial) await navigate({ to: '/import', search: { ...search, step: 'check', trial: Number(begun) } })
      else await queries.invalidateQueries({ queryKey: ['job', id] })
      setFailure(undefined)
    } catch (caught) {
      setFailure(caught)
    } finally {
      setBusy(false)
    }
  }
  const go = (next: typeof step) => void navigate({ to: '/import', search: { ...search, step: next } })
  const leave = () => void endJob(id).finally(() => navigate({ to: '/import', search: makes ? {} : { table } }))

  return (
    <>
      <div className="wizard-body">
        {error !== undefined && (
          <div className="note bad" role="alert">
            <Icon name="alert" />
            <span className="grow">{trouble(error)}</span>
          </div>
        )}
        {draft.query.error && !data ? (
          <Trouble error={draft.query.error} again={() => void draft.query.refetch()} />
        ) : !data ? (
          <Skeleton />
        ) : step === 'check' && trial !== undefined ? (
          <Check id={String(trial)} />
        ) : step === 'fields' ? (
          <FieldsStep preview={data} table={table} draft={draft} />
        ) : (
          <FileStep id={id} preview={data} table={table} name={name ?? (data.table_name || undefined)} draft={draft} />
        )}
      </div>
      <footer className="wizard-foot">
        <button
          type="button"
          className="button line"
          onClick={() => (step === 'check' ? go('fields') : step === 'fields' ? go(undefined) : leave())}
        >
          {say(step === undefined ? 'importAnother' : 'importBack')}
        </button>
        <span className="grow" />
        {data && step === undefined && (
          <button type="button" className="button line" onClick={() => go('fields')}>
            {say('importNext')}
          </button>
        )}
        {data && step !== 'check' && (
          <button
            type="button"
            className={`button line${step === 'fields' ? '' : ' only-wide'}`}
            disabled={isBusy}
            onClick={() => void begin(true)}
          >
            {say('importCheck')}
          </button>
        )}
        {data && (
          <button type="button" className="button primary" disabled={isBusy} onClick={() => void begin(false)}>
            {say('importNow')}
          </button>
        )}
      </footer>
    </>
  )
}
