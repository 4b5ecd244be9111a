import { Fragment, useId, useRef, useState } from 'react'
import type { Affected } from '../api/administration.ts'
import { preferences } from '../api/preferences.ts'
import type { Field } from '../fields/field.ts'
import { hueAt } from '../fields/hues.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { shifted } from './places.ts'
import { UseNaming } from './used-in.tsx'

type Known = Field['options']
type Option = Known[number] | string
/** What is done to the options as the service has them by then: changes may follow one another faster than they are saved. */
export type EditOptions = (options: Known) => readonly Option[]

/** The options of a list. Alt with an arrow moves the one at hand. Before one goes that rules, views or others compare, these are named. */
export function Options({
  options,
  uses,
  error,
  onEdit,
}: {
  readonly options: Field['options']
  /** What names the field; undefined: not known yet, or it could not be told. */
  readonly uses: readonly Affected[] | undefined
  readonly error: string | undefined
  readonly onEdit: (edit: EditOptions) => void
}) {
  const say = useWords()
  const id = useId()
  const box = useRef<HTMLUListElement>(null)
  const [typed, setTyped] = useState<{ readonly id: number; readonly label: string }>()
  const [added, setAdded] = useState('')
  const [asked, setAsked] = useState<number>()
  const rename = ({ id: its, label: old }: Known[number]) => {
    if (typed?.id !== its) return
    const label = typed.label.trim()
    setTyped(undefined)
    if (label !== '' && label !== old) onEdit((all) => all.map((one) => (one.id === its ? { ...one, label } : one)))
  }
  const add = (text: string) => {
    const labels = [...new Set(text.split(/\r?\n/).flatMap((line) => line.trim() || []))]
    setAdded('')
    const isFresh = (label: string, all: Known) => !all.some((one) => one.label === label)
    if (labels.some((label) => isFresh(label, options))) onEdit((all) => [...all, ...labels.filter((label) => isFresh(label, all))])
  }
  const comparing = (its: number) => (uses ?? []).filter((use) => use.options?.includes(its))
  const drop = (its: number) => {
    setAsked(undefined)
    onEdit((all) => all.filter((one) => one.id !== its))
  }
  const move = (its: number, by: -1 | 1) =>
    onEdit((all) =>
      shifted(
        all,
        all.findIndex((one) => one.id === its),
        by,
      ),
    )
  const sort = () =>
    onEdit((all) => [...all].sort((one, other) => one.label.localeCompare(other.label, preferences().language, { numeric: true })))
  return (
    <section>
      <div className="row">
        <h3 id={id} className="grow">
          {say('fieldOptions')}
        </h3>
        <button type="button" className="button small" onClick={sort}>
          <Icon name="sort" />
          {say('fieldOptionSort')}
        </button>
      </div>
      <ul ref={box} className="options-box" aria-labelledby={id}>
        {options.map((option, i) => (
          <Fragment key={option.id}>
            <li className="row">
              <i className="swatch" data-hue={hueAt(i)} />
              <input
                className="input"
                dir="auto"
                aria-label={say('fieldOption', { number: i + 1 })}
                value={typed?.id === option.id ? typed.label : option.label}
                onChange={({ target }) => setTyped({ id: option.id, label: target.value })}
                onBlur={() => rename(option)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') rename(option)
                  if (event.key === 'Escape' && typed) {
                    event.preventDefault()
                    setTyped(undefined)
                  }
                  if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
                    event.preventDefault()
                    move(option.id, event.key === 'ArrowUp' ? -1 : 1)
                  }
                }}
              />
              {(
                [
                  ['fieldOptionUp', 'arrow-up', -1],
                  ['fieldOptionDown', 'arrow-down', 1],
                ] as const
              ).map(([message, icon, by]) => (
                <button
                  key={icon}
                  type="button"
                  className="button square small"
                  disabled={by === -1 ? i === 0 : i === options.length - 1}
                  aria-label={say(message, { name: option.label })}
                  onClick={() => move(option.id, by)}
                >
                  <Icon name={icon} />
                </button>
              ))}
              <button
                type="button"
                className="button square small"
                data-drop={option.id}
                aria-label={say('fieldOptionDrop', { name: option.label })}
                onClick={() => (uses === undefined || comparing(option.id).length > 0 ? setAsked(option.id) : drop(option.id))}
              >
                <Icon name="x" />
              </button>
            </li>
            {asked === option.id && (
              <li>
                <Compared
                  name={option.label}
                  uses={uses && comparing(option.id)}
                  onDrop={() => drop(option.id)}
                  onKeep={() => {
                    box.current?.querySelector<HTMLElement>(`[data-drop='${option.id}']`)?.focus()
                    setAsked(undefined)
                  }}
                />
              </li>
            )}
          </Fragment>
        ))}
        <li className="row">
          <input
            className="input"
            aria-label={say('fieldOptionAdd')}
            placeholder={say('fieldOptionAdd')}
            value={added}
            onChange={({ target }) => setAdded(target.value)}
            onKeyDown={(event) => event.key === 'Enter' && add(added)}
            onBlur={() => add(added)}
            onPaste={(event) => {
              const text = event.clipboardData.getData('text/plain')
              if (!text.includes('\n')) return
              event.preventDefault()
              add(text)
            }}
          />
        </li>
      </ul>
      {error !== undefined && (
        <span className="admin-wrong" role="alert">
          {error}
        </span>
      )}
      <p className="quiet small">{say('fieldOptionsHint')}</p>
    </section>
  )
}

/** What compares an option that somebody is about to take away. `uses`: undefined where that is not known. */
function Compared({
  name,
  uses,
  onDrop,
  onKeep,
}: {
  readonly name: string
  readonly uses: readonly Affected[] | undefined
  readonly onDrop: () => void
  readonly onKeep: () => void
}) {
  const say = useWords()
  return (
    <div className="note warn rules-by" role="alert">
      <Icon name="warn" />
      <div>
        <p>{say(!uses ? 'fieldOptionUnknown' : uses.length > 0 ? 'fieldOptionCompared' : 'fieldOptionFree', { name })}</p>
        {uses && uses.length > 0 && (
          <ul>
            {uses.map((use) => (
              <li key={`${use.type} ${use.id}`}>
                <UseNaming use={use} />
              </li>
            ))}
          </ul>
        )}
        <div className="row wrap">
          <button type="button" className="button small bad" onClick={({ detail }) => detail < 2 && onDrop()}>
            {say('fieldOptionDropYet')}
          </button>
          <button type="button" className="button small" onClick={onKeep}>
            {say('fieldOptionKeep')}
          </button>
        </div>
      </div>
    </div>
  )
}
