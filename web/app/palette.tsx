import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components'
import { tables } from '../api/queries.ts'
import { foundAtOnce } from '../api/search.ts'
import { commands, shownKeys, useCommands } from '../commands/commands.ts'
import { Marked } from '../fields/marked.tsx'
import { marksIn, soughtWords } from '../fields/marks.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

interface Item {
  readonly id: string
  readonly title: string
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

function Finder({ onClose }: { readonly onClose: () => void }) {
  const say = useWords()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const named = useNamed(text)
  const { records, isLooking } = useFound(text)
  const everywhere = () => void navigate({ to: '/search', search: { q: text.trim() || undefined } })
  const sections: readonly Section[] = [
    ...named,
    { id: 'records', title: say('foundRecords'), items: records },
    {
      id: 'everywhere',
      title: say('searchTitle'),
      // Not while records are looked for: the first of them is what Enter opens.
      items:
        soughtWords(text).length === 0 || isLooking
          ? []
          : [{ id: 'everywhere', title: say('searchEverywhere', { text: text.trim() }), icon: 'search', run: everywhere }],
    },
  ].filter(({ items }) => items.length > 0)
  const words = soughtWords(text)
  const run = (id: unknown) => {
    onClose()
    sections
      .flatMap(({ items }) => items)
      .find((item) => item.id === id)
      ?.run()
  }
  return (
    <Dialog className="palette" aria-label={say('find')}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField
          className="palette-find"
          aria-label={say('find')}
          autoFocus
          onSubmit={() => {
            // Faster than the service: what is found is on the page.
            if (!isLooking) return
            onClose()
            everywhere()
          }}
        >
          <Icon name="search" />
          <Input placeholder={say('find')} />
        </SearchField>
        <span className="said" role="status">
          {isLooking ? say('searchRunning') : ''}
        </span>
        <Menu
          className="palette-items"
          aria-label={say('find')}
          items={sections}
          onAction={run}
          renderEmptyState={() => <div className="nothing">{say(isLooking ? 'searchRunning' : 'nothingFound')}</div>}
        >
          {(section) => (
            <MenuSection id={section.id} items={section.items} aria-label={section.title}>
              {section.id !== 'everywhere' && <Header className="menu-head">{section.title}</Header>}
              {section.items.map((item) => (
                <MenuItem className="menu-item" key={item.id} id={item.id} textValue={item.title}>
                  <Icon name={item.icon} />
                  <span className="cut">
                    <Marked text={item.title} marks={item.of === undefined ? [] : marksIn(item.title, words)} />
                  </span>
                  {item.of !== undefined && <span className="end cut">{item.of}</span>}
                  {item.keys !== undefined && <kbd className="end">{item.keys}</kbd>}
                </MenuItem>
              ))}
            </MenuSection>
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  )
}

/** Tables and commands whose names have the text. */
function useNamed(text: string): readonly Section[] {
  const say = useWords()
  const navigate = useNavigate()
  const { contains } = useFilter({ sensitivity: 'base' })
  const possible = useCommands()
  const { data } = useQuery(tables)
  const sections: readonly Section[] = [
    {
      id: 'tables',
      title: say('tables'),
      items: (data?.data ?? []).map(({ id, attributes }) => ({
        id: `table ${id}`,
        title: String(attributes['table_name']),
        icon: 'grid',
        run: () => void navigate({ to: '/t/$table', params: { table: id } }),
      })),
    },
    {
      id: 'commands',
      title: say('commands'),
      items: possible.flatMap(([name, run]) => {
        const command = commands[name]
        if ('isHidden' in command) return []
        return [{ id: name, title: say(command.title), icon: 'bolt', run, ...('keys' in command && { keys: shownKeys(command.keys) }) }]
      }),
    },
  ]
  return sections.map((one) => ({ ...one, items: one.items.filter(({ title }) => contains(title, text)) }))
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
  const records = (found.data?.data ?? []).flatMap(({ table, name, hits }) =>
    hits.slice(0, OF_ONE).map(({ id, title }) => ({
      id: `record ${table} ${id}`,
      title: title === '' ? say('record', { id }) : title,
      icon: 'file',
      of: name,
      run: () => void navigate({ to: '/t/$table/$record', params: { table, record: id } }),
    })),
  )
  // What was found for other words must not be what Enter opens.
  const isLooking = wanted !== asked || found.isFetching
  return { records: isLooking ? [] : records.slice(0, RECORDS), isLooking }
}
