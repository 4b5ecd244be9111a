import { lazy, Suspense, useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { locale } from '../api/preferences.ts'
import { FileGone, moveFile, removeFile } from '../api/record-files.ts'
import { changed, fileAddress, filesOf } from '../api/records.ts'
import { didChange, type Done } from '../api/undo.ts'
import type { Document, Resource } from '../api/client.ts'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { useUndoOf } from '../ui/take-back.ts'
import { toast } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { ChooseFiles } from './choose-files.tsx'
import { whenPasted } from './pasted-files.ts'
import { previewOf } from './previews.ts'
import { useUploads } from './use-uploads.ts'

const FilePreview = lazy(async () => ({ default: (await import('./file-preview.tsx')).FilePreview }))

/** The files of a field: dropped, pasted or chosen, put in order by dragging or with Alt and the arrows; pictures and texts are shown. */
export function Files({ field, id, mayEdit }: { readonly field: Field; readonly id: string; readonly mayEdit: boolean }) {
  const say = useWords()
  const trouble = useTrouble()
  const undoOf = useUndoOf(trouble)
  const client = useQueryClient()
  const list = useRef<HTMLUListElement>(null)
  const dragged = useRef<string>(undefined)
  const [over, setOver] = useState<string>()
  const [isOver, setIsOver] = useState(false)
  const [shown, setShown] = useState<string>()
  const [said, setSaid] = useState('')
  // Names, while a change of them is on its way. A list that was read before it has come may be older.
  const [wished, setWished] = useState<readonly string[]>()
  const { data } = useQuery(filesOf(field.table, field.name, id))
  const held = data?.data ?? []
  const listed = wished ? wished.flatMap((name) => held.find(({ attributes }) => attributes['file_name'] === name) ?? []) : held
  const files = listed.map(({ id: key, attributes }) => {
    const name = String(attributes['file_name'])
    return {
      key,
      name,
      size: Number(attributes['size']),
      address: fileAddress(field.table, field.name, id, name),
      kind: previewOf(String(attributes['mime_type'])),
    }
  })
  const names = files.map(({ name }) => name)
  const read = async () => {
    await client.invalidateQueries({ queryKey: ['files', field.table, field.name, id] })
    await changed(field.table)
  }
  const { uploads, wrong, setWrong, add } = useUploads(field, id, read)

  /** Shows the files that are to be, until the change is made. Returns the act, where it was not refused. */
  async function keep(next: readonly string[], name: string, change: Promise<Document<Resource> | undefined>): Promise<Done | undefined> {
    let act: Done | undefined
    setWrong(undefined)
    setWished(next)
    try {
      // As soon as it begins: who takes it back at once does not take back what they did before it.
      const value = change.then((kept) => kept?.data.attributes[field.name])
      const begun = didChange(
        field.table,
        id,
        field.name,
        value.catch(() => undefined),
      )
      await change
      act = begun
    } catch (error) {
      setWrong(error instanceof FileGone ? say('fileIsAnother', { name }) : trouble(error))
    }
    await read()
    setWished((now) => (now === next ? undefined : now))
    return act
  }
  const put = (at: number, to: number) => {
    const file = files[at]!
    const rest = names.filter((one) => one !== file.name)
    const next = rest.toSpliced(to, 0, file.name)
    if (next.join('\n') === names.join('\n')) return
    setSaid(say('fileMoved', { name: file.name, place: to + 1, count: names.length }))
    const moved = moveFile(field.table, field.name, id, { id: file.key, name: file.name }, rest[to])
    void keep(next, file.name, moved).then(() => list.current?.querySelectorAll<HTMLElement>('a.ref')[to]?.focus())
  }
  const remove = ({ key, name }: { readonly key: string; readonly name: string }) =>
    void keep(
      names.filter((one) => one !== name),
      name,
      removeFile(field.table, field.name, id, { id: key, name }),
    ).then((act) => act && toast(say('fileRemoved', { name }), undoOf(act)))
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const step = event.altKey && mayEdit ? { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key] : undefined
    if (step === undefined) return
    event.preventDefault()
    if (files[at + step]) put(at, at + step)
  }

  const drop = (event: DragEvent) => {
    if (!mayEdit || dragged.current !== undefined) return
    event.preventDefault()
    setIsOver(event.type === 'dragover')
    if (event.type === 'drop') add([...event.dataTransfer.files])
  }
  // The only place for files of a record takes what is dropped anywhere on it.
  const dropped = useRef(drop)
  dropped.current = drop
  useEffect(() => {
    const place = list.current?.closest('.record-panel, main')
    if (!mayEdit || !place || place.querySelectorAll('.files').length !== 1) return
    const take = (event: Event) => {
      const { dataTransfer, target } = event as unknown as DragEvent
      if (event.defaultPrevented || !dataTransfer.types.includes('Files') || (target as Element).closest('.files')) return
      dropped.current(event as unknown as DragEvent)
    }
    for (const type of ['dragover', 'dragleave', 'drop']) place.addEventListener(type, take)
    return () => {
      for (const type of ['dragover', 'dragleave', 'drop']) place.removeEventListener(type, take)
    }
  }, [mayEdit])
  const paste = useRef(add)
  paste.current = add
  useEffect(() => (mayEdit ? whenPasted(() => list.current?.closest('.files') ?? null, (given) => paste.current(given)) : undefined), [mayEdit]) // prettier-ignore
  const open = files.find(({ name }) => name === shown)
  return (
    <div className={`files${isOver ? ' over' : ''}`} onDragOver={drop} onDragLeave={drop} onDrop={drop}>
      <ul className="filelist" ref={list}>
        {files.map(({ key, name, size, address, kind }, i) => {
          const shot =
            kind === 'picture' ? (
              <img src={fileAddress(field.table, field.name, id, name, 256)} alt="" loading="lazy" draggable={false} />
            ) : (
              <Icon name="file" />
            )
          return (
            <li
              className={`file${over === name ? ' is-over' : ''}`}
              key={key}
              draggable={mayEdit && files.length > 1}
              onDragStart={() => (dragged.current = name)}
              onDragEnd={() => {
                dragged.current = undefined
                setOver(undefined)
              }}
              onDragOver={(event) => {
                if (dragged.current === undefined) return
                event.preventDefault()
                setOver(name)
              }}
              onDrop={(event) => {
                if (dragged.current === undefined) return
                event.preventDefault()
                put(names.indexOf(dragged.current), i)
              }}
            >
              {kind ? (
                <button type="button" className="shot" aria-label={say('showFile', { name })} onClick={() => setShown(name)}>
                  {shot}
                </button>
              ) : (
                <a className="shot" href={address} download={name} tabIndex={-1} aria-hidden="true">
                  {shot}
                </a>
              )}
              <span className="row">
                <a
                  className="cut ref grow"
                  href={address}
                  download={name}
                  title={name}
                  draggable={false}
                  aria-keyshortcuts={mayEdit ? 'Alt+ArrowLeft Alt+ArrowRight' : undefined}
                  onKeyDown={(event) => onKeyDown(event, i)}
                >
                  {name}
                </a>
                {mayEdit && (
                  <button
                    type="button"
                    className="button small square"
                    aria-label={say('removeFile', { name })}
                    title={say('removeFile', { name })}
                    onClick={() => remove({ key, name })}
                  >
                    <Icon name="x" />
                  </button>
                )}
              </span>
              <small className="quiet">{sizeOf(size)}</small>
            </li>
          )
        })}
        {uploads.map(({ key, name, part, cancel }) => (
          <li className="file" key={`upload ${key}`}>
            <span className="shot">
              <Icon name="upload" />
            </span>
            <span className="row">
              <span className="cut grow">{name}</span>
              <button
                type="button"
                className="button small square"
                aria-label={say('stopUpload', { name })}
                title={say('stopUpload', { name })}
                onClick={cancel}
              >
                <Icon name="x" />
              </button>
            </span>
            <ProgressBar job={{ done: part, total: 1 }} title={name} />
          </li>
        ))}
      </ul>
      {!mayEdit && data && files.length === 0 && <span className="quiet">–</span>}
      {mayEdit && <ChooseFiles field={field} onAdd={add} />}
      <span className="said" role="status">
        {said}
      </span>
      {wrong !== undefined && (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <span className="grow">{wrong}</span>
        </div>
      )}
      {open?.kind && (
        <Suspense fallback={null}>
          <FilePreview name={open.name} address={open.address} kind={open.kind} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** Of bytes, as people say it. */
function sizeOf(bytes: number): string {
  const [value, unit] = bytes < 1_000 ? [bytes, 'byte'] : bytes < 1_000_000 ? [bytes / 1_000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte']
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}
