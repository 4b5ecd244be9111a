import { useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { locale } from '../../api/preferences.ts'
import { nowHere, writtenDate } from '../dates.ts'
import type { EditorProps, FieldType } from '../field-type.ts'
import { DayButton } from './day-button.tsx'

type Kind = {
  readonly type?: string
  readonly inputMode?: 'decimal' | 'numeric' | 'tel' | 'email' | 'url'
  readonly isArea?: true
  /** Its day can be chosen in a month of days. */
  readonly withDay?: true
}

/** Milliseconds without a key after which a doubt is told: half an address is no wrong one. */
const PAUSE = 500

/** An editor in which the value is typed as text. What cannot be read stays, with what is wrong beside it. */
export function lineEditor(of: () => Pick<FieldType, 'toText' | 'read' | 'doubt'>, kind: Kind = {}) {
  return function LineEditor({ field, value, initial, label, error, isInGrid, titleOf, onTyped, onCommit, onCancel }: EditorProps) {
    const context = { locale: locale(), now: nowHere() }
    const before = typeof value === 'string' && value !== '' ? of().toText(value, field, titleOf, context) : ''
    const [text, setText] = useState(initial ?? before)
    const [wrong, setWrong] = useState(error)
    const doubt = useDoubt(text === before ? '' : text.trim(), of)
    const isDone = useRef(false)
    const line = useRef<HTMLInputElement>(null)
    const area = useRef<HTMLTextAreaElement>(null)
    const edge = useRef<HTMLSpanElement>(null)
    const isPicking = useRef(false)
    const commit = (move?: Parameters<EditorProps['onCommit']>[1]): boolean => {
      if (isDone.current) return true
      const read = text === before && initial === undefined ? { value } : of().read(text, field, context)
      if ('error' in read) {
        setWrong(read.error)
        return false
      }
      isDone.current = true
      onCommit(read.value, move)
      return true
    }
    useEffect(() => {
      if (initial) onTyped?.(initial)
    }, [])
    // The caret begins behind the text. In an input, unlike in a textarea, browsers put it there by themselves.
    useLayoutEffect(() => area.current?.setSelectionRange(text.length, text.length), [])
    const type = (next: string) => {
      setText(next)
      setWrong(undefined)
      onTyped?.(next === before ? undefined : next)
    }
    const valueOf = (written: string): string => {
      const read = of().read(written, field, context)
      return 'error' in read ? '' : String(read.value ?? '')
    }
    // The time of day stays.
    const pick = (day: string) => type(writtenDate(`${day}${valueOf(text).slice(10)}`, context.locale))
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.nativeEvent.isComposing) return
      if (event.key === 'Escape') {
        event.stopPropagation()
        isDone.current = true
        onCancel()
      } else if (event.key === 'Enter' && (!kind.isArea || event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        event.stopPropagation()
        commit(event.shiftKey ? 'up' : 'down')
      } else if (event.key === 'Tab' && isInGrid) {
        event.preventDefault()
        event.stopPropagation()
        commit(event.shiftKey ? 'previous' : 'next')
      }
    }
    const shared = {
      value: text,
      'aria-label': label,
      'aria-invalid': wrong !== undefined,
      autoFocus: true,
      onKeyDown,
      // What cannot be read is not lost by a look elsewhere. Who looks at another window has not left the field.
      onBlur: ({ currentTarget }: FocusEvent) => isPicking.current || document.activeElement === currentTarget || void commit(),
      ...(field.maxLength && { maxLength: field.maxLength }),
    }
    return (
      <span className="editor">
        {kind.isArea ? (
          <textarea
            {...shared}
            ref={area}
            className={`input${wrong === undefined ? '' : ' wrong'}`}
            rows={3}
            onChange={({ target }) => type(target.value)}
          />
        ) : (
          <span className={`input${wrong === undefined ? '' : ' wrong'}`} ref={edge}>
            <input
              {...shared}
              ref={line}
              type={kind.type ?? 'text'}
              inputMode={kind.inputMode}
              autoComplete="off"
              spellCheck={kind.type === undefined}
              onChange={({ target }) => type(target.value)}
            />
            {kind.withDay && (
              <DayButton
                {...{ line, label }}
                anchor={edge}
                value={() => valueOf(text).slice(0, 10) || undefined}
                isOpen={isPicking}
                onPick={pick}
              />
            )}
          </span>
        )}
        {wrong !== undefined && (
          <span className="state bad" role="alert">
            {wrong}
          </span>
        )}
        {wrong === undefined && doubt !== undefined && (
          <span className="state doubt" role="status">
            {doubt}
          </span>
        )}
      </span>
    )
  }
}

/** What is doubtful about a text, once nobody has typed for a moment. */
function useDoubt(text: string, of: () => Pick<FieldType, 'doubt'>): string | undefined {
  const [told, setTold] = useState<{ readonly of: string; readonly is: string | undefined }>()
  useEffect(() => {
    const { doubt } = of()
    if (!doubt || text === '') return
    const timer = setTimeout(() => setTold({ of: text, is: doubt(text) }), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return told?.of === text ? told.is : undefined
}
