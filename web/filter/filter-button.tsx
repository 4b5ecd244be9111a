import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import { act, shownKeys } from '../commands/commands.ts'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { FilterBuilder, useTitlesOf } from './filter-builder.tsx'
import { sentence } from './sentence.ts'
import { nothing, readFilter } from './tree.ts'

/** Whoever opens the builder goes on with its first row, or with the expression; the dialog takes the focus only where nothing in it has it. */
const focusFirst = (form: HTMLFormElement | null): void =>
  (form?.querySelector<HTMLElement>('.rule select') ?? form?.querySelector<HTMLElement>('textarea, select, input'))?.focus({
    preventScroll: true,
  })

/** Ctrl+Enter shows what is selected, from wherever it is built; a value that is being typed is taken first, and one that is refused stays. */
function showBy(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  const form = event.currentTarget
  if (!(event.target as Element).closest('.is-edited')) event.preventDefault()
  setTimeout(() => form.querySelector('.is-edited') ?? form.requestSubmit())
}

/** The filter of a list in words; a click builds another one. */
export function FilterButton({
  fields,
  filter,
  error,
  onFilter,
}: {
  readonly fields: readonly Field[]
  readonly filter: string | undefined
  /** What the service says of it. */
  readonly error?: unknown
  onFilter(filter: string | undefined): void
}) {
  const say = useWords()
  const [isOpen, setOpen] = useState(false)
  // What was built and not applied is there when the dialog is opened again.
  const [wanted, setWanted] = useState(filter)
  const [round, setRound] = useState(0)
  const isDraft = wanted !== filter
  const tree = useMemo(() => readFilter(filter, fields), [filter, fields])
  const titleOf = useTitlesOf(tree ?? nothing, fields)
  const words = tree ? sentence(tree, fields, titleOf) : filter
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    setWanted(filter)
    setOpen(false)
  }, [filter])
  const open = () => {
    // What had the focus before gets it back.
    if (document.activeElement === document.body) opener.current?.focus()
    setOpen(true)
  }
  useEffect(() => act('filter', { filter: open, unfilter: filter !== undefined && (() => onFilter(undefined)) }), [filter, onFilter])
  const applied = useRef<string>(undefined)
  const apply = () => {
    setOpen(false)
    if (!isDraft) return
    applied.current = wanted
    onFilter(wanted)
  }
  // Whoever has just built what is refused goes on with it, unless they have gone elsewhere meanwhile.
  useEffect(() => {
    if (error === undefined || applied.current === undefined || applied.current !== filter) return
    applied.current = undefined
    if (document.activeElement === document.body || document.activeElement === opener.current) open()
  }, [error])
  const name = [filter === undefined ? say('filter') : `${say('filter')}: ${words}`, isDraft && !isOpen && say('filterDraft')]
  return (
    <span className={filter === undefined ? undefined : 'chip'}>
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <Button ref={opener} className={filter === undefined ? 'button' : 'chip-open'} aria-label={name.filter(Boolean).join(', ')}>
          <Icon name="filter" />
          <span className="cut">{words || say('filter')}</span>
          {isDraft && !isOpen && <i className="dot" title={say('filterDraft')} />}
        </Button>
        <Popover className="popover filter-popover" placement="bottom start">
          <Dialog className="filter-dialog">
            <header className="row between">
              <Heading slot="title" level={2}>
                {say('filter')}
              </Heading>
              <button type="button" className="button square" aria-label={say('close')} title={say('close')} onClick={() => setOpen(false)}>
                <Icon name="x" />
              </button>
            </header>
            <form
              ref={focusFirst}
              onKeyDownCapture={showBy}
              onSubmit={(event) => {
                event.preventDefault()
                apply()
              }}
            >
              <FilterBuilder key={round} {...{ fields, error }} value={wanted} faulty={filter} isReady onChange={setWanted} />
              <footer className="row">
                <button
                  type="submit"
                  className="button primary"
                  title={`${say('filterApply')} (${shownKeys('Mod+Enter')})`}
                  aria-keyshortcuts="Control+Enter"
                >
                  {say('filterApply')}
                </button>
                {isDraft && (
                  <button
                    type="button"
                    className="button"
                    onClick={() => {
                      setWanted(filter)
                      setRound((now) => now + 1)
                    }}
                  >
                    {say('filterDrop')}
                  </button>
                )}
                {filter !== undefined && (
                  <button
                    type="button"
                    className="button"
                    onClick={() => {
                      setOpen(false)
                      onFilter(undefined)
                    }}
                  >
                    {say('clearFilter')}
                  </button>
                )}
              </footer>
            </form>
          </Dialog>
        </Popover>
      </DialogTrigger>
      {filter !== undefined && (
        <button
          type="button"
          aria-label={say('clearFilter')}
          title={say('clearFilter')}
          onClick={() => (opener.current?.focus(), onFilter(undefined))}
        >
          <Icon name="x" />
        </button>
      )}
    </span>
  )
}
