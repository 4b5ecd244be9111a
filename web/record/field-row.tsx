import { useRef, useState, type ReactNode } from 'react'
import { keepTyped, typedAt, typedIn, type Opened } from '../api/typed.ts'
import { showValue, typeOf } from '../fields/types.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { useLeaving } from '../ui/leaving.ts'
import { useTrouble } from '../ui/trouble.tsx'
import { Waits } from '../ui/waits.tsx'
import { ApiError } from '../api/client.ts'
import type { EditState } from './edited.ts'
import '../fields/fields.css'

/** Shows a value; `button`: what opens the editor. */
export type List = (value: unknown, button: ReactNode, commit: (next: unknown) => void) => ReactNode

/** A field of a record: its value, which a click or Enter turns into an editor at the same place. */
export function FieldRow({
  field,
  record,
  value,
  state,
  titleOf,
  isOpen,
  mayEdit,
  isChanged = false,
  isFlow = false,
  list,
  onOpen,
  onCommit,
  onClose,
  onInsist,
  onGive,
}: {
  readonly field: Field
  /** Its id, or NEW. */
  readonly record: string
  readonly value: unknown
  readonly state: EditState | undefined
  readonly titleOf: TitleOf
  readonly isOpen: boolean
  readonly mayEdit: boolean
  /** Somebody else has just changed it. */
  readonly isChanged?: boolean
  /** Enter and Tab lead to the next field. */
  readonly isFlow?: boolean
  /** What shows the value instead of the value itself. */
  readonly list?: List | undefined
  onOpen(): void
  /** `before`: what the field showed, and what the record held, when the editor was opened. */
  onCommit(value: unknown, before: Opened): void
  /** `isOn`: the next field comes next. */
  onClose(isOn: boolean): void
  onInsist(): void
  /** Not where there is nothing to go back to. */
  onGive?: (() => void) | undefined
}) {
  const say = useWords()
  const trouble = useTrouble()
  const edit = useRef<HTMLButtonElement>(null)
  const { Editor, icon, isWide } = typeOf(field)
  // What is saved is what the record holds, until somebody changes it again.
  const current = state && state.is !== 'saved' ? state.value : value
  const shown = showValue(field, current, titleOf)
  // Where nothing else has taken the focus.
  const back = () => requestAnimationFrame(() => document.activeElement === document.body && edit.current?.focus())
  // A change of somebody else does not touch what is typed: it is told when that is saved.
  const place = typedAt(field, record)
  const isEdited = isOpen && Editor !== undefined
  const atOpening = useRef<Opened>(undefined)
  if (!isEdited) atOpening.current = undefined
  const opened = isEdited ? (atOpening.current ??= typedIn(place) ?? { shown: current, held: value }) : { shown: current, held: value }
  const [isTyped, setIsTyped] = useState(false)
  useLeaving(isTyped)
  const onTyped = (text: string | undefined) => {
    setIsTyped(text !== undefined)
    keepTyped(place, text === undefined ? undefined : { ...opened, text })
  }
  const said =
    state?.is === 'refused'
      ? state.error instanceof ApiError && state.error.attributes.get(field.name)
        ? told(state.error.attributes.get(field.name)!)
        : trouble(state.error)
      : undefined
  const editor = isEdited && (
    <Editor
      {...{ field, titleOf }}
      value={opened.shown}
      label={field.title}
      isInGrid={isFlow}
      initial={typedIn(place)?.text}
      onTyped={onTyped}
      onCommit={(next, move) => {
        onClose(move === 'down' || move === 'next')
        if (next !== opened.shown) onCommit(next, opened)
        // Last: at any moment one of the two is kept, also where the page ends here.
        onTyped(undefined)
        // Somebody who has clicked elsewhere stays there.
        if (move !== undefined) back()
      }}
      onCancel={() => {
        onTyped(undefined)
        onClose(false)
        back()
      }}
    />
  )
  return (
    <div
      className={`field${isWide || list ? ' wide' : ''}${state?.is === 'clash' ? ' clash' : ''}${isOpen && !list ? ' edit' : ''}${isChanged ? ' changed' : ''}`}
    >
      <dt>
        <Icon name={icon} size="s" />
        <span className="cut" title={field.hint || undefined}>
          {field.title}
        </span>
        {field.isRequired && mayEdit && (
          <span title={say('required')}>
            *<span className="said">{say('required')}</span>
          </span>
        )}
        <span role="status">
          {state?.is === 'waiting' && (
            <span className="state">
              <Waits />
            </span>
          )}
          {state?.is === 'saving' && <span className="state">{say('saving')}</span>}
          {state?.is === 'saved' && (
            <span className="state good">
              <Icon name="check" />
              {say('saved')}
            </span>
          )}
        </span>
      </dt>
      <dd>
        {list ? (
          list(
            current,
            mayEdit && (
              <button ref={edit} type="button" className="button small" aria-label={say('linkIn', { name: field.title })} onClick={onOpen}>
                <Icon name="link" />
                <span>{say('link')}</span>
              </button>
            ),
            (next) => onCommit(next, opened),
          )
        ) : editor ? null : (
          <>
            <span className="value">{shown ?? <span className="quiet">{mayEdit && Editor ? say('empty') : '–'}</span>}</span>
            {mayEdit && Editor && (
              <button ref={edit} type="button" className="change" aria-label={say('change', { name: field.title })} onClick={onOpen}>
                <Icon name="edit" size="s" />
              </button>
            )}
          </>
        )}
        {editor && (list ? <div className="linking">{editor}</div> : editor)}
      </dd>
      {state?.is === 'refused' && (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <span className="grow">{say('notSavedWhy', { detail: said ?? '' })}</span>
          <button type="button" className="button small" onClick={onInsist}>
            {say('tryAgain')}
          </button>
          {onGive && (
            <button type="button" className="button small" onClick={onGive}>
              {say('putBack')}
            </button>
          )}
        </div>
      )}
      {state?.is === 'clash' && (
        <div className="note warn" role="alert">
          <Icon name="warn" />
          <span className="grow">
            {say('changedMeanwhile')} <b>{showValue(field, state.theirs, titleOf) ?? say('empty')}</b>
          </span>
          <button type="button" className="button small" onClick={onInsist}>
            {say('keepMine')}
          </button>
          <button type="button" className="button small" onClick={onGive}>
            {say('takeTheirs')}
          </button>
        </div>
      )}
    </div>
  )
}
