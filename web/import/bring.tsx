import { useEffect, useRef, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { beginJob, endJob } from '../api/jobs.ts'
import { sendFile } from '../api/imports.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { usePhone } from '../ui/phone.ts'
import { Trouble } from '../ui/trouble.tsx'
import { isImportable, keepFile, takeOffered, useOffer } from './offered.ts'
import { tableNameFor } from './mapping.ts'
import { nameOf, useTargets } from './targets.ts'

/** Asks for a file, and sends it. */
export function Bring({ table }: { readonly table: number | undefined }) {
  const say = useWords()
  const { isKnown, mayMake, into, all } = useTargets()
  const { send, sending, error } = useSending()
  // Who may not make tables brings the file into one that is there.
  const target = table ?? (mayMake ? undefined : Number(into[0]?.id))
  const ready = isKnown && (mayMake || into.length > 0)
  const isOffered = useOffer()
  useEffect(() => {
    const file = ready && isOffered ? takeOffered() : undefined
    if (file) send(file, target)
  }, [ready, isOffered])
  if (isKnown && !ready)
    return (
      <section className="empty">
        <h2>{say('importTitle')}</h2>
        <p>{say('importNotAllowed')}</p>
      </section>
    )
  return (
    <div className="wizard-body">
      {typeof error === 'string' ? (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <span className="grow">{error}</span>
        </div>
      ) : (
        error !== undefined && <Trouble error={error} />
      )}
      {sending ? (
        <Sending {...sending} />
      ) : (
        <FilePlace
          title={say('importBring')}
          onFile={(file) => send(file, target)}
          about={target === undefined ? say('importIntoNew') : say('importInto', { name: nameOf(all, target) })}
        />
      )}
    </div>
  )
}

function Sending({ name, part, stop }: NonNullable<ReturnType<typeof useSending>['sending']>) {
  const say = useWords()
  return (
    <section className="box run centred" aria-label={say('importTitle')}>
      <h2>{say('importSending', { name })}</h2>
      <div
        className="progress"
        role="progressbar"
        aria-label={say('importSending', { name })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
      >
        <i style={{ width: `${part * 100}%` }} />
      </div>
      <div className="row">
        <span className="quiet">{say('importPart', { percent: Math.round(part * 100) })}</span>
        <button type="button" className="button push" onClick={stop}>
          {say('importCancel')}
        </button>
      </div>
    </section>
  )
}

/** Where a file is dropped, or chosen. */
export function FilePlace({
  title,
  about,
  onFile,
}: {
  readonly title: string
  readonly about?: string
  readonly onFile: (file: File) => void
}) {
  const say = useWords()
  const isPhone = usePhone()
  const input = useRef<HTMLInputElement>(null)
  return (
    <section className="file-place" aria-label={title}>
      <span className="file-place-icon" aria-hidden="true">
        <Icon name="upload" size="l" />
      </span>
      <div className="grow">
        <h2>
          {title} {about !== undefined && <span className="quiet">{about}</span>}
        </h2>
        <p>
          {say(isPhone ? 'importOnPhone' : 'importDropHere')} {say('importLead')}
        </p>
      </div>
      <button type="button" className="button primary big" onClick={() => input.current?.click()}>
        <Icon name="folder" />
        {say('importChoose')}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={say('importChoose')}
        accept=".csv,.tsv,.txt,.xlsx,.jsonl,.ndjson"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) onFile(file)
        }}
      />
    </section>
  )
}

/** Makes a draft of the file and leads on to it. */
export function useSending() {
  const say = useWords()
  const navigate = useNavigate()
  const { all } = useTargets()
  const [sending, setSending] = useState<{ readonly name: string; readonly part: number; readonly stop: () => void }>()
  const [error, setError] = useState<unknown>()
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])

  async function begin(file: File, table: number | undefined): Promise<void> {
    const taken = all.map(({ attributes }) => String(attributes['table_name']))
    const name = table === undefined ? tableNameFor(file.name, taken, say('importTable')) : undefined
    const abort = new AbortController()
    const shown = { name: file.name, stop: () => abort.abort() }
    setError(undefined)
    setSending({ ...shown, part: 0 })
    const id = await beginJob('import', table, { file_name: file.name.slice(-255), ...(name !== undefined && { table_name: name }) })
    try {
      await sendFile(id, file, (part) => setSending({ ...shown, part }), abort.signal)
      if (!isHere.current) return await endJob(id)
    } catch (failure) {
      await endJob(id).catch(() => undefined)
      if (abort.signal.aborted) return
      throw failure
    }
    keepFile(id, file)
    await navigate({ to: '/import', search: { job: Number(id), name } })
  }

  function send(file: File, table: number | undefined): void {
    if (!isImportable(file.name)) return setError(say('importWrongKind', { name: file.name }))
    void begin(file, table)
      .catch(setError)
      .finally(() => setSending(undefined))
  }
  return { send, sending, error }
}
