import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Dialog, Modal, ModalOverlay, useFilter } from 'react-aria-components'
import { categories, tables } from '../api/queries.ts'
import { foundAtOnce } from '../api/search.ts'
import { commands, shownKeys, useCommands } from '../commands/commands.ts'
import { Marked } from '../fields/marked.tsx'
import { marksIn, soughtWords } from '../fields/marks.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

interface Item {
  readonly id: string
  readonly title: string
  /** Other words by which it is found. */
  readonly also?: string
  readonly icon: string
  readonly keys?: string
  /** What it belongs to. */
  readonly of?: string
  run(): void
}

interface Section {
  readonly id: string
  readonly title: string
  readonly items: readonly Item[]
}

/** Milliseconds without a key after which records are searched for. */
const PAUSE = 150
/** Letters and digits from which on they are. */
const ENOUGH = 2
/** Records shown, and of one table. */
const [RECORDS, OF_ONE] = [12, 3]

/** Tables and commands by their names, and records by words in them: Ctrl+K. */
export function Palette({ isOpen, onOpenChange }: { readonly isOpen: boolean; readonly onOpenChange: (isOpen: boolean) => void }) {
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={onOpenChange} isDismissable>
      <Modal className="popover">
        <Finder onClose={() => onOpenChange(false)} />
      </Modal>
    </ModalOverlay>
  )
}

/** The dialog gives the focus back to what had it, in the next frame. Where nothing had it, Tab starts in the page and not above its frame. */
function giveFocusToPage(): void {
  const give = () => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#work')?.focus({ preventScroll: true })
  }
  requestAnimationFrame(() => requestAnimationFrame(give))
}

/** A combobox with a list in sections: the keyboard stays in the box, and the first item is what Enter opens unless arrows choose another. */
function Finder({ onClose }: { readonly onClose: () => void }) {
  const say = useWords()
  const navigate = useNavigate()
  const list = useId()
  useEffect(() => giveFocusToPage, [])
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const named = useNamed(text)
  const { records, isLooking } = useFound(text)
  const words = soughtWords(text)
  const everywhere = () => void navigate({ to: '/search', search: { q: text.trim() || undefined } })
  const sections: readonly Section[] = [
    ...named,
    { id: 'records', title: say('foundRecords'), items: records },
    {
      id: 'everywhere',
      title: say('searchTitle'),
      // Not while records are looked for: the first of them is what Enter opens.
      items:
        words.length === 0 || isLooking
          ? []
          : [{ id: 'everywhere', title: say('searchEverywhere', { text: text.trim() }), icon: 'search', run: everywhere }],
    },
  ].filter(({ items }) => items.length > 0)
  const items = sections.flatMap((section) => section.items)
  // To look everywhere is offered always, and finds nothing then either.
  const isNothing = items.every(({ id }) => id === 'everywhere')
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === chosen),
  )
  const idOf = (item: Item | undefined) => item && `${list}-${item.id.replaceAll(' ', '-')}`
  const run = (go: (() => void) | undefined) => {
    if (!go) return
    onClose()
    go()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && items.length > 0) {
      event.preventDefault()
      const next = items[(at + step + items.length) % items.length]
      setChosen(next?.id)
      document.getElementById(idOf(next) ?? '')?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // Faster than the service: what is found is on the page.
      run(items[at]?.run ?? (isLooking ? everywhere : undefined))
    }
  }
  return (
    <Dialog className="palette" aria-label={say('find')}>
      <div className="palette-find">
        <Icon name="search" />
        <input
          autoFocus
          value={text}
          role="combobox"
          aria-label={say('find')}
          aria-expanded={items.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={idOf(items[at])}
          placeholder={say('find')}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setText(target.value)
            setChosen(undefined)
          }}
        />
      </div>
      <span className="said" role="status">
        {isLooking ? say('searchRunning') : isNothing ? say('nothingFound') : ''}
      </span>
      {isNothing && <div className="nothing">{say(isLooking ? 'searchRunning' : 'nothingFound')}</div>}
      <div className="palette-items" id={list} role="listbox" aria-label={say('find')}>
        {sections.map((section) => (
          <div key={section.id} role="group" aria-label={section.title}>
            {section.id !== 'everywhere' && (
              <div className="menu-head" aria-hidden="true">
                {section.title}
              </div>
            )}
            {section.items.map((item) => (
              <div
                key={item.id}
                id={idOf(item)}
                role="option"
                aria-selected={item === items[at]}
                className={`menu-item${item === items[at] ? ' at' : ''}`}
                onPointerMove={() => setChosen(item.id)}
                onClick={() => run(item.run)}
              >
                <Icon name={item.icon} />
                <span className="cut">
                  <Marked text={item.title} marks={item.id.startsWith('record ') ? marksIn(item.title, words) : []} />
                </span>
                {item.of !== undefined && <span className="end cut">{item.of}</span>}
                {item.keys !== undefined && <kbd className="end">{item.keys}</kbd>}
              </div>
            ))}
          </div>
        ))}
      </div>
    </Dialog>
  )
}

/** Tables and commands whose names have the text. */
function useNamed(text: string): readonly Section[] {
  const say = useWords()
  const navigate = useNavigate()
  const { contains } = useFilter({ sensitivity: 'base' })
  const possible = useCommands()
  const all = useQuery(tables).data?.data ?? []
  const known = useQuery(categories).data?.data ?? []
  const categoryOf = (id: unknown) => known.find((one) => one.id === String(id))?.attributes['category_name'] as string | undefined
  const sections: readonly Section[] = [
    {
      id: 'tables',
      title: say('tables'),
      items: withDetails(
        all.map(({ id, attributes }) => ({
          id: `table ${id}`,
          title: String(attributes['table_name']),
          icon: 'grid',
          detail: categoryOf(attributes['category_id']) ?? say('otherTables'),
          run: () => void navigate({ to: '/t/$table', params: { table: id } }),
        })),
      ),
    },
    {
      id: 'commands',
      title: say('commands'),
      items: possible.flatMap(([name, run]) => {
        const command = commands[name]
        if ('isHidden' in command) return []
        return [
          {
            id: name,
            title: say(command.title),
            icon: 'bolt',
            run,
            ...('also' in command && { also: say(command.also) }),
            ...('keys' in command && { keys: shownKeys(command.keys) }),
          },
        ]
      }),
    },
  ]
  const words = text.split(/\s+/)
  const isNamed = ({ title }: Item) => contains(title, text)
  const isMeant = (item: Item) => !isNamed(item) && words.every((word) => contains(`${item.title} ${item.also ?? ''}`, word))
  return sections.map((one) => ({ ...one, items: [...one.items.filter(isNamed), ...one.items.filter(isMeant)] }))
}

/** Those that look alike get what tells them apart; where that is the same too, their ids. */
function withDetails(items: readonly (Item & { readonly detail: string })[]): readonly Item[] {
  const count = (keyOf: (item: Item & { readonly detail: string }) => string) => {
    const counts = new Map<string, number>()
    for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
    return (item: Item & { readonly detail: string }) => counts.get(keyOf(item))!
  }
  const alike = count(({ title, of = '' }) => `${title}\n${of}`)
  const same = count(({ title, of = '', detail }) => `${title}\n${of}\n${detail}`)
  return items.map(({ detail, ...item }) => {
    if (alike({ ...item, detail }) === 1) return item
    const its = same({ ...item, detail }) > 1 ? `${detail} #${item.id.split(' ').at(-1)}` : detail
    return { ...item, of: item.of === undefined ? its : `${item.of}, ${its}` }
  })
}

/** Records that have the words, some of each table. */
function useFound(text: string): { readonly records: readonly Item[]; readonly isLooking: boolean } {
  const say = useWords()
  const navigate = useNavigate()
  const [asked, setAsked] = useState('')
  const wanted = text.trim()
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PAUSE)
    return () => clearTimeout(timer)
  }, [wanted])
  const isLong = (words: string) => soughtWords(words).join('').length >= ENOUGH
  const found = useQuery({ ...foundAtOnce(asked), enabled: isLong(asked) })
  if (!isLong(wanted)) return { records: [], isLooking: false }
  const records = withDetails(
    (found.data?.data ?? []).flatMap(({ table, name, hits }) =>
      hits.slice(0, OF_ONE).map(({ id, title }) => ({
        id: `record ${table} ${id}`,
        title: title === '' ? say('record', { id }) : title,
        icon: 'file',
        of: name,
        detail: say('record', { id }),
        run: () => void navigate({ to: '/t/$table/$record', params: { table, record: id } }),
      })),
    ),
  )
  // What was found for other words must not be what Enter opens.
  const isLooking = wanted !== asked || found.isFetching
  return { records: isLooking ? [] : records.slice(0, RECORDS), isLooking }
}
