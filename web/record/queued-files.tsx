import { useEffect, useRef, useState, type DragEvent } from 'react'
import type { Field } from '../fields/field.ts'
import { afterColon } from '../i18n/after-colon.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { ChooseFiles } from './choose-files.tsx'
import { whenPasted } from './pasted-files.ts'
import type { QueuedFile } from './use-queued-files.ts'

/** The files of a field of a record that is not there yet: dropped, pasted or chosen; they are sent when it has been made. */
export function QueuedFiles({
  field,
  files,
  mayEdit,
  refused,
  onAdd,
  onDrop,
}: {
  readonly field: Field
  readonly files: readonly QueuedFile[]
  readonly mayEdit: boolean
  /** Why the record was not made without them. */
  readonly refused: string | undefined
  onAdd(files: readonly File[]): void
  /** Undefined: none can be taken away now. */
  readonly onDrop: ((key: number) => void) | undefined
}) {
  const say = useWords()
  const box = useRef<HTMLDivElement>(null)
  const [isOver, setIsOver] = useState(false)
  const add = useRef(onAdd)
  add.current = onAdd
  useEffect(() => (mayEdit ? whenPasted(() => box.current, (given) => add.current(given)) : undefined), [mayEdit]) // prettier-ignore
  const drop = (event: DragEvent) => {
    if (!mayEdit) return
    event.preventDefault()
    setIsOver(event.type === 'dragover')
    if (event.type === 'drop') onAdd([...event.dataTransfer.files])
  }
  return (
    <div className="field wide">
      <dt>
        <Icon name={field.type === 'image' ? 'image' : 'clip'} size="s" />
        <span className="cut" title={field.hint || undefined}>
          {field.title}
        </span>
        {field.isRequired && (
          <span title={say('required')}>
            *<span className="said">{say('required')}</span>
          </span>
        )}
      </dt>
      <dd>
        <div ref={box} className={`files${isOver ? ' over' : ''}`} onDragOver={drop} onDragLeave={drop} onDrop={drop}>
          <ul className="filelist">
            {files.map(({ key, file, part, wrong }) => (
              <li className="file" key={key}>
                <span className="shot">
                  <Icon name={wrong === undefined ? 'file' : 'alert'} />
                </span>
                <span className="row">
                  <span className="cut grow" title={file.name}>
                    {file.name}
                  </span>
                  {onDrop && (
                    <button
                      type="button"
                      className="button small square"
                      aria-label={say(part === undefined ? 'removeFile' : 'stopUpload', { name: file.name })}
                      title={say(part === undefined ? 'removeFile' : 'stopUpload', { name: file.name })}
                      onClick={() => onDrop(key)}
                    >
                      <Icon name="x" />
                    </button>
                  )}{' '}
                </span>
                {part !== undefined && <ProgressBar job={{ done: part, total: 1 }} title={file.name} />}
              </li>
            ))}
          </ul>
          {mayEdit && <ChooseFiles field={field} onAdd={onAdd} />}
          {[
            ...(refused === undefined ? [] : [refused]),
            ...files.flatMap(({ file, wrong }) => (wrong === undefined ? [] : [`${file.name}: ${afterColon(wrong)}`])),
          ].map((text) => (
            <div key={text} className="note bad" role="alert">
              <Icon name="alert" />
              <span className="grow">{text}</span>
            </div>
          ))}
        </div>
      </dd>
    </div>
  )
}
