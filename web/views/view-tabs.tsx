import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button, Dialog, DialogTrigger, Heading, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { Resource } from '../api/client.ts'
import { me } from '../api/queries.ts'
import { useViewing } from '../api/viewing.ts'
import { changeView, makeView, removeView, viewsOf, type ViewValues } from '../api/views.ts'
import { commands, run, useCommands, type CommandName } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { copyText } from '../ui/copy.ts'
import { toast } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { kindNamed, kinds } from './kinds.ts'
import { isChanged, stateOf, valuesOf, type ViewState } from './state.ts'
import './views.css'

/** The saved views of a table, and what is done with them. */
export function ViewTabs({ table }: { readonly table: string }) {
  const say = useWords()
  const trouble = useTrouble()
  const navigate = useNavigate()
  const search = useSearch({ from: '/framed/t/$table' })
  const number = Number(table)
  const views = useQuery(viewsOf(number)).data?.data ?? []
  const person = useQuery(me).data?.data
  const view = views.find(({ id }) => id === String(search.view))
  const [renamed, setRenamed] = useState<Resource>()
  const go = (state: object, replace = false) => void navigate({ to: '/t/$table', params: { table }, search: state, replace })
  const attempt = (work: () => Promise<unknown>) => void work().catch((error: unknown) => toast(trouble(error)))

  // A link that names the view without its parts means all of them, and leaves the open record and the search words as they are.
  const isBare = view !== undefined && search.kind === undefined
  useEffect(() => {
    if (isBare) go({ ...search, ...stateOf(view) }, true)
  }, [isBare])

  const make = (kind: string) =>
    attempt(async () => {
      const made = await makeView(number, {
        ...valuesOf({ ...search, kind }),
        view_name: freeName(say(kindNamed(kind).message), views),
      })
      go({ view: Number(made.id), ...stateOf(made) })
      setRenamed(made)
    })
  const isViewing = useViewing() !== undefined
  const isOwn = !isViewing && view !== undefined && (String(view.attributes['user_id']) === person?.id || isAdministrator(person))
  const change = (of: Resource, values: ViewValues) =>
    attempt(async () => {
      const before = Object.fromEntries(Object.keys(values).map((name) => [name, of.attributes[name]]))
      await changeView(number, of.id, values)
      toast(say('viewSaved'), () => attempt(() => changeView(number, of.id, before)))
    })
  const possible = useCommands()
  const isDirty = view !== undefined && !isBare && isChanged(view, search)
  // On a phone there are often more of them than fit.
  const tabs = useRef<HTMLElement>(null)
  const isKnown = views.length > 0
  useEffect(() => {
    const [bar, tab] = [tabs.current, tabs.current?.querySelector<HTMLElement>('[aria-current]')]
    if (bar && tab) bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2
  }, [view?.id, isKnown])
  return (
    <nav ref={tabs} className="tabs" aria-label={say('views')}>
      <Link
        className="tab"
        to="/t/$table"
        params={{ table }}
        search={{}}
        activeOptions={{ exact: true }}
        aria-current={view ? undefined : 'page'}
      >
        <Icon name="grid" />
        <span>{say('allRecords')}</span>
      </Link>
      {views.map((one) => (
        <Link
          key={one.id}
          className="tab"
          to="/t/$table"
          params={{ table }}
          search={{ view: Number(one.id), ...stateOf(one) } as never}
          aria-current={one === view ? 'page' : undefined}
        >
          <Icon name={kindNamed(one.attributes['kind']).icon} />
          <span className="cut">{String(one.attributes['view_name'])}</span>
          {one === view && isDirty && <i className="dot" role="img" aria-label={say('viewChanged')} title={say('viewChanged')} />}
        </Link>
      ))}
      {view && (
        <MenuTrigger>
          <Button className="button square small" aria-label={say('viewMenu', { name: view.attributes['view_name'] })}>
            <Icon name="more" />
          </Button>
          <Popover placement="bottom start">
            <Menu
              className="menu"
              aria-label={String(view.attributes['view_name'])}
              onAction={(name) => {
                if (name === 'save') change(view, valuesOf(search))
                if (name === 'reset') go({ view: Number(view.id), ...stateOf(view) })
                if (name === 'copy') make(search.kind ?? 'grid')
                if (name === 'rename') setRenamed(view)
                if (name === 'link') void copyText(location.href).then((isCopied) => toast(say(isCopied ? 'linkCopied' : 'linkNotCopied')))
                if (EXPORTS.includes(name as CommandName)) run(name as CommandName)
                if (name === 'share') change(view, { user_id: view.attributes['user_id'] === 0 ? Number(person?.id) : 0 })
                if (name === 'delete')
                  attempt(async () => {
                    const back = await removeView(number, view)
                    go({})
                    toast(say('viewDeleted'), () => attempt(back))
                  })
              }}
            >
              {(
                [
                  ['save', 'check', 'viewSave', isOwn && isDirty],
                  ['reset', 'undo', 'viewReset', isDirty],
                  ['copy', 'copy', 'viewSaveAs', !isViewing],
                  ['rename', 'edit', 'viewRename', isOwn],
                  ['link', 'link', 'viewLink', true],
                  ...EXPORTS.map((one) => [one, 'download', commands[one].title, possible.some(([name]) => name === one)] as const),
                  ['share', 'share', view.attributes['user_id'] === 0 ? 'viewUnshare' : 'viewShare', isAdministrator(person)],
                  ['delete', 'trash', 'viewDelete', isOwn],
                ] as const
              )
                .filter(([, , , isPossible]) => isPossible)
                .map(([name, icon, message]) => (
                  <MenuItem key={name} id={name} className="menu-item" textValue={say(message)}>
                    <Icon name={icon} />
                    <span>{say(message)}</span>
                  </MenuItem>
                ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {!isViewing && !view && isShaped(search) && (
        <button type="button" className="button small only-wide" onClick={() => make(search.kind ?? 'grid')}>
          {say('viewKeep')}
        </button>
      )}
      {!isViewing && (
        <MenuTrigger>
          <Button className="button square small" aria-label={say('viewAdd')}>
            <Icon name="plus" />
          </Button>
          <Popover placement="bottom start">
            <Menu className="menu" aria-label={say('viewAdd')} onAction={(kind) => make(String(kind))}>
              {kinds.map(({ name, icon, message }) => (
                <MenuItem key={name} id={name} className="menu-item" textValue={say(message)}>
                  <Icon name={icon} />
                  <span>{say(message)}</span>
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {renamed && (
        <Rename
          view={renamed}
          onName={(view_name) => {
            setRenamed(undefined)
            change(renamed, { view_name })
          }}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </nav>
  )
}

/** Whether a list without a view is another one than all records in their order. */
const isShaped = ({ filter, sort, group, kind }: ViewState): boolean => [filter, sort, group, kind].some((part) => part !== undefined)

/** `Board`, `Board 2` and so on. */
function freeName(plain: string, views: readonly Resource[]): string {
  const taken = new Set(views.map(({ attributes }) => attributes['view_name']))
  let name = plain
  for (let i = 2; taken.has(name); i++) name = `${plain} ${i}`
  return name
}

const EXPORTS: readonly CommandName[] = ['exportCsv', 'exportXlsx', 'exportJson']

const isAdministrator = (person: Resource | undefined): boolean => person?.attributes['group_id'] === 1

function Rename({ view, onName, onClose }: { readonly view: Resource; onName(name: string): void; onClose(): void }) {
  const say = useWords()
  const [name, setName] = useState(String(view.attributes['view_name']))
  return (
    <DialogTrigger isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Button className="said" excludeFromTabOrder>
        {say('viewRename')}
      </Button>
      <Popover className="popover" placement="bottom start">
        <Dialog className="view-name">
          <Heading slot="title" level={2}>
            {say('viewName')}
          </Heading>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (name.trim() !== '') onName(name.trim())
            }}
          >
            <span className="input">
              <input
                aria-label={say('viewName')}
                autoFocus
                value={name}
                maxLength={255}
                onFocus={({ target }) => target.select()}
                onChange={({ target }) => setName(target.value)}
              />
            </span>
            <button type="submit" className="button primary">
              {say('done')}
            </button>
          </form>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
