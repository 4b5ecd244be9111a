import { useRef, useState, type DragEvent } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/client.ts'
import { locale } from '../api/preferences.ts'
import { changed, fileAddress, filesOf, keepFiles, putFile } from '../api/records.ts'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { useTrouble } from '../ui/trouble.tsx'

const PICTURE = /\.(jpe?g|png|gif|webp|avif)$/i

/** The files of a field: dropped, pasted or chosen; pictures are shown small. */
export function Files({ field, id, mayEdit }: { readonly field: Field; readonly id: string; readonly mayEdit: boolean }) {
  const say = useWords()
  const trouble = useTrouble()
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState<readonly string[]>([])
  const [wrong, setWrong] = useState<string>()
  const [isOver, setIsOver] = useState(false)
  const { data } = useQuery(filesOf(field.table, field.name, id))
  const files = data?.data ?? []
  const read = async () => {
    await client.invalidateQueries({ queryKey: ['files', field.table, field.name, id] })
    await changed(field.table)
  }

  async function add(given: readonly File[]): Promise<void> {
    setWrong(undefined)
    setBusy(given.map(({ name }) => name))
    for (const file of given) {
      try {
        await putFile(field.table, field.name, id, file.name, file)
      } catch (error) {
        setWrong(`${file.name}: ${error instanceof ApiError && error.status === 412 ? say('fileIsThere') : trouble(error)}`)
      }
      setBusy((before) => before.filter((name) => name !== file.name))
    }
    await read()
  }

  async function remove(name: string): Promise<void> {
    try {
      await keepFiles(field.table, field.name, id, files.map(({ attributes }) => String(attributes['file_name'])).filter((one) => one !== name)) // prettier-ignore
    } catch (error) {
      setWrong(trouble(error))
    }
    await read()
  }

  const drop = (event: DragEvent) => {
    if (!mayEdit) return
    event.preventDefault()
    setIsOver(event.type === 'dragover')
    if (event.type === 'drop') void add([...event.dataTransfer.files])
  }
  return (
    <div className={`files${isOver ? ' over' : ''}`} onDragOver={drop} onDragLeave={drop} onDrop={drop}>
      <ul className="filelist">
        {files.map(({ id: file, attributes }) => {
          const name = String(attributes['file_name'])
          return (
            <li className="file" key={file}>
              <a className="shot" href={fileAddress(field.table, field.name, id, name)} download={name}>
                {PICTURE.test(name) ? (
                  <img src={fileAddress(field.table, field.name, id, name, 256)} alt="" loading="lazy" />
                ) : (
                  <Icon name="file" />
                )}
              </a>
              <span className="row">
                <a className="cut ref grow" href={fileAddress(field.table, field.name, id, name)} download={name} title={name}>
                  {name}
                </a>
                {mayEdit && (
                  <button
                    type="button"
                    className="button small square"
                    aria-label={say('removeFile', { name })}
                    title={say('removeFile', { name })}
                    onClick={() => void remove(name)}
                  >
                    <Icon name="x" />
                  </button>
                )}
              </span>
              <small className="quiet">{sizeOf(Number(attributes['size']))}</small>
            </li>
          )
        })}
        {busy.map((name) => (
          <li className="file" key={`busy ${name}`}>
            <span className="shot">
              <Icon name="upload" />
            </span>
            <span className="cut">{name}</span>
            <small className="quiet">{say('saving')}</small>
          </li>
        ))}
      </ul>
      {mayEdit && (
        <>
          <input
            ref={input}
            type="file"
            hidden
            multiple={field.maxFiles !== 1}
            aria-label={say('addFiles', { name: field.title })}
            accept={
              field.extensions.length > 0 ? field.extensions.map((one) => `.${one}`).join() : field.type === 'image' ? 'image/*' : undefined
            }
            onChange={({ target }) => {
              void add([...(target.files ?? [])])
              target.value = ''
            }}
          />
          <button type="button" className="button line small" onClick={() => input.current?.click()}>
            <Icon name="clip" />
            <span>{say('addFiles', { name: field.title })}</span>
          </button>
        </>
      )}
      {wrong !== undefined && (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <span className="grow">{wrong}</span>
        </div>
      )}
    </div>
  )
}

/** Of bytes, as people say it. */
function sizeOf(bytes: number): string {
  const [value, unit] = bytes < 1_000 ? [bytes, 'byte'] : bytes < 1_000_000 ? [bytes / 1_000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte']
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 }).format(
    value,
  )
}
