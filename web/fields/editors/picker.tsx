import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Autocomplete, Dialog, Input, ListBox, ListBoxItem, Popover, SearchField, useFilter } from 'react-aria-components'
import { ApiError } from '../../api/client.ts'
import { shownKeys } from '../../commands/commands.ts'
import { told } from '../../i18n/refusals/told.ts'
import { useWords } from '../../i18n/words.ts'
import { Icon } from '../../ui/icon.tsx'
import { useTrouble } from '../../ui/trouble.tsx'
import { useGoingAlong } from './use-going-along.ts'

export interface Choice {
  readonly id: string
  readonly text: string
  readonly shown?: ReactNode
  /** A second line. */
  readonly more?: string
}

/** Chooses one or several of a list by typing a part of their names. */
export function Picker({
  label,
  choices,
  chosen,
  initial = '',
  isMultiple = false,
  isRequired = false,
  isInGrid = false,
  isWaiting = false,
  onSearch,
  onCreate,
  formOf,
  all,
  onCommit,
  onCancel,
}: {
  readonly label: string
  readonly choices: readonly Choice[]
  readonly chosen: readonly Choice[]
  readonly initial?: string | undefined
  readonly isMultiple?: boolean
  /** What is chosen cannot be taken away, only replaced. */
  readonly isRequired?: boolean
  /** Tab takes what is marked and moves on; in a card it goes to what comes next on the page. */
  readonly isInGrid?: boolean
  /** Further choices are on their way. */
  readonly isWaiting?: boolean
  /** The service looks for them; without it, those given are looked through. */
  readonly onSearch?: (text: string) => void
  /** Makes a choice of what was typed, where there is none of that name. */
  readonly onCreate?: (text: string) => Promise<Choice>
  /** The address of a form for what cannot be made of its name alone. */
  readonly formOf?: (text: string) => string
  /** Where more are found than are looked at: how many, and the address of their list. */
  readonly all?: { readonly count: number; readonly address: string } | undefined
  /** Undefined: what was chosen stays. */
  onCommit(ids: readonly string[] | undefined, move: 'down' | 'next' | 'previous'): void
  onCancel(): void
}) {
  const say = useWords()
  const trouble = useTrouble()
  const { contains } = useFilter({ sensitivity: 'base' })
  const anchor = useRef<HTMLSpanElement>(null)
  useGoingAlong(anchor)
  const [ids, setIds] = useState<readonly string[]>(chosen.map(({ id }) => id))
  const [text, setText] = useState(initial)
  // Words that were typed since something was chosen: what they find is meant, too.
  const isTyped = useRef(initial !== '')
  // What arrows have marked since is meant as it is shown.
  const isMarked = useRef(false)
  // A key that was pressed before the answer to the words had come: it acts when that has.
  const due = useRef<'take' | 'create' | 'next' | 'previous'>(undefined)
  // What comes after the person has left the editor is not chosen by them.
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => void (isLeft.current = true)
  }, [])
  const [made, setMade] = useState<readonly Choice[]>([])
  const [isMaking, setMaking] = useState(false)
  const [wrong, setWrong] = useState<string>()
  // What is chosen stands first, also where the service has not found it.
  const first = [...chosen, ...made.filter(({ id }) => !chosen.some((one) => one.id === id))]
  const others = choices.filter(({ id }) => !first.some((one) => one.id === id))
  const items = [...first.filter((one) => text === '' || !onSearch || contains(one.text, text)), ...others]
  const name = text.trim()
  // No item of the list: arrows and Enter, pressed without a look, must not make anything.
  const isFresh = onCreate && name !== '' && !isWaiting && !items.some((one) => one.text.toLowerCase() === name.toLowerCase())
  const mayEmpty = !isMultiple && !isRequired && chosen.length > 0
  const create = async () => {
    setMaking(true)
    setWrong(undefined)
    try {
      const choice = await onCreate!(name)
      if (isLeft.current) return
      if (!isMultiple) return onCommit([choice.id], due.current === 'next' || due.current === 'previous' ? due.current : 'down')
      setMade((before) => [...before, choice])
      setIds((before) => [...before, choice.id])
      setText('')
      onSearch?.('')
    } catch (error) {
      due.current = undefined
      const details = error instanceof ApiError ? [...error.attributes.values()] : []
      setWrong(details.length > 0 ? details.map(told).join(' ') : trouble(error))
    }
    setMaking(false)
  }
  const isChanged = (next: readonly string[]) => next.join() !== chosen.map(({ id }) => id).join()
  const close = () => {
    if (isChanged(ids)) onCommit(ids, 'down')
    else onCancel()
  }
  const dialog = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // The list grows and does not shrink: a button below it that moves while it is pressed is not pressed.
  useLayoutEffect(() => {
    if (list.current) list.current.style.minHeight = `${list.current.offsetHeight}px`
  })
  /** What arrows or typing have marked; whoever types fast presses a key before the first that fits is. */
  const meant = (): string | undefined => {
    const marked = markedIn(dialog.current)
    if (items.some(({ id }) => id === marked)) return marked
    return name === '' ? undefined : items.find((one) => onSearch || contains(one.text, text))?.id
  }
  const choose = (next: readonly string[]) => {
    setIds(next)
    isTyped.current = false
    if (!isMultiple) onCommit(next, 'down')
  }
  const act = (as: 'take' | 'next' | 'previous') => {
    const one = meant()
    // Words of which nothing is found stay.
    if (one === undefined && name !== '') return
    if (as === 'take')
      return one !== undefined && choose(!isMultiple ? [one] : ids.includes(one) ? ids.filter((id) => id !== one) : [...ids, one])
    const adds = isTyped.current && name !== '' && one !== undefined && !ids.includes(one)
    const next = isMultiple ? (adds ? [...ids, one] : ids) : one === undefined ? ids : [one]
    onCommit(isChanged(next) ? next : undefined, as)
  }
  const isSearching = isWaiting && name !== ''
  // Keys may follow each other faster than anything is drawn.
  const isLooking = () => isMaking || (isSearching && !(isMarked.current && markedIn(dialog.current) !== undefined))
  useEffect(() => {
    const as = due.current
    if (as === undefined || (as === 'create' ? isMaking || isSearching : isLooking())) return
    due.current = undefined
    if (as !== 'create') act(as)
    else if (isFresh) void create()
  })
  const keys = ({ key, target, shiftKey, ctrlKey, metaKey }: KeyboardEvent): (() => void) | undefined => {
    // Not only the words: all is left as it was.
    if (key === 'Escape') return onCancel
    if (!(target instanceof HTMLInputElement)) return undefined
    if (key === 'ArrowDown' || key === 'ArrowUp') isMarked.current = true
    if (key === 'Enter' && (ctrlKey || metaKey))
      return () => void (isSearching ? (due.current = 'create') : isFresh && !isMaking && create())
    if (key === 'Enter' && isLooking()) return () => void (due.current = 'take')
    // Not left to the list: it marks nothing where further letters find the same, and would unchoose what is chosen already.
    if (key === 'Enter' && name !== '') return () => act('take')
    if (key !== 'Tab' || !isInGrid) return undefined
    const move = shiftKey ? 'previous' : 'next'
    if (isLooking()) return () => void (due.current = move)
    // What can be made of words of which nothing is found is the next stop of Tab.
    if (isFresh && meant() === undefined) return undefined
    return () => act(move)
  }
  return (
    <span className="editor">
      <span className="input on" ref={anchor}>
        <span className="cut">{[...first, ...others].flatMap(({ id, text: one }) => (ids.includes(id) ? [one] : [])).join(', ')}</span>
      </span>
      <Popover className="popover picker" triggerRef={anchor} isOpen placement="bottom start" onOpenChange={(isOpen) => isOpen || close()}>
        <Dialog className="palette" aria-label={label}>
          <div
            ref={dialog}
            onKeyDownCapture={(event) => {
              const run = keys(event)
              if (!run) return
              event.stopPropagation()
              event.preventDefault()
              run()
            }}
          >
            <Autocomplete
              {...(!onSearch && { filter: contains })}
              inputValue={text}
              onInputChange={(next) => {
                setText(next)
                isTyped.current = true
                isMarked.current = false
                due.current = undefined
                setWrong(undefined)
                onSearch?.(next)
              }}
            >
              <SearchField className="palette-find" aria-label={label} autoFocus>
                <Icon name="search" />
                {/* The list keeps the name of an item that is gone. */}
                <Input placeholder={say('findChoice')} {...(items.length === 0 && { 'aria-activedescendant': '' })} />
              </SearchField>
              <ListBox
                ref={list}
                className="palette-items"
                aria-label={label}
                items={items}
                selectionMode={isMultiple ? 'multiple' : 'single'}
                selectedKeys={ids}
                // Escape leaves all as it was: it does not choose nothing.
                escapeKeyBehavior="none"
                // What the letter that opened the editor finds is marked as what further letters find.
                {...(initial !== '' && !onSearch && { autoFocus: 'first' as const })}
                onSelectionChange={(selected) => {
                  const next = [...(selected as Set<string>)].map(String)
                  // Who chooses the one that is chosen already means it.
                  choose(next.length === 0 && !isMultiple ? ids : next)
                }}
                renderEmptyState={() => <div className="nothing">{say(isWaiting ? 'loading' : 'nothingFound')}</div>}
              >
                {(item) => (
                  <ListBoxItem className="menu-item" id={item.id} textValue={item.text}>
                    {({ isSelected }) => (
                      <>
                        <span className={isSelected ? 'picked' : 'picked not'}>
                          <Icon name="check" />
                        </span>
                        {item.shown ?? <span className="cut">{item.text}</span>}
                        {item.more !== undefined && <span className="end cut quiet">{item.more}</span>}
                      </>
                    )}
                  </ListBoxItem>
                )}
              </ListBox>
            </Autocomplete>
            {wrong !== undefined && (
              <div className="note bad" role="alert">
                <Icon name="alert" />
                <span className="grow">{say('notAdded', { detail: wrong })}</span>
                {formOf && (
                  <a className="button small" href={formOf(name)} target="_blank" rel="noopener">
                    {say('openForm')}
                  </a>
                )}
              </div>
            )}
            {all && (
              <div className="picker-foot">
                <span className="quiet">{say('foundMore')}</span>
                <a className="text-link" href={all.address} target="_blank" rel="noopener">
                  {say('showAll', { count: all.count })}
                </a>
              </div>
            )}
            {(isMultiple || isFresh || mayEmpty) && (
              <div className="picker-foot">
                {mayEmpty && (
                  <button type="button" className="button small" disabled={isMaking} onClick={() => onCommit([], 'down')}>
                    {say('noChoice')}
                  </button>
                )}
                {isFresh && (
                  <button type="button" className="button small" disabled={isMaking} onClick={() => void create()}>
                    <Icon name="plus" />
                    <span className="cut">{say('addChoice', { name })}</span>
                    <kbd className="quiet" aria-hidden="true">
                      {shownKeys('Mod+Enter')}
                    </kbd>
                  </button>
                )}
                {isMultiple && (
                  // What is being made is to be among those that are chosen.
                  <button type="button" className="button primary small" disabled={isMaking} onClick={close}>
                    {say('done')}
                  </button>
                )}
              </div>
            )}
          </div>
        </Dialog>
      </Popover>
    </span>
  )
}

/** The item that arrows or typing have marked, while the words keep the focus: screen readers are told of it later. */
const markedIn = (dialog: Element | null): string | undefined =>
  dialog?.querySelector<HTMLElement>('[role=option][data-focused]')?.dataset['key']
