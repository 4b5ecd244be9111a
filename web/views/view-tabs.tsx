import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button, Dialog, DialogTrigger, Heading, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { Resource } from '../api/client.ts'
import { me } from '../api/queries.ts'
import { useViewing } from '../api/viewing.ts'
import { changeView, makeView, removeView, viewsOf, type ViewValues } from '../api/views.ts'
import { act, commands, run, useCommands, type Acts, type CommandName } from '../commands/commands.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { copyText } from '../ui/copy.ts'
import { toast, toastRefusal } from '../ui/toast.tsx'
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
  const asked = useQuery(viewsOf(number))
  const views = asked.data?.data ?? []
  const person = useQuery(me).data?.data
  const view = views.find(({ id }) => id === String(search.view))
  const [renamed, setRenamed] = useState<Resource>()
  const go = (state: object, replace = false) => void navigate({ to: '/t/$table', params: { table }, search: state, replace })
  const attempt = (work: () => Promise<unknown>) => void work().catch((error: unknown) => toastRefusal(trouble(error)))

  // A link that names the view without its parts means all of them, and leaves the open record and the search words as they are.
  const isBare = view !== undefined && search.kind === undefined
  useEffect(() => {
    if (isBare) go({ ...search, ...stateOf(view) }, true)
  }, [isBare])

  // Such a link to a view of somebody else's own, or of before: nobody is to take all records for what it selected.
  const isLost = asked.isSuccess && !asked.isFetching && !view && search.view !== undefined && search.kind === undefined
  useEffect(() => {
    if (!isLost) return
    toastRefusal(say('viewLost'))
    go({ ...search, view: undefined }, true)
  }, [isLost])

  const make = (kind: string) =>
    attempt(async () => {
      const made = await makeView(number, {
        ...valuesOf({ ...search, kind }),
        view_name: freeName(say(kindNamed(kind).message), views),
        // Also one of an administrator, which the service would share: nobody sees it before it is as they want it.
        user_id: Number(person?.id),
      })
      go({ view: Number(made.id), ...stateOf(made) })
      setRenamed(made)
    })
  const isViewing = useViewing() !== undefined
  const isOwn = !isViewing && view !== undefined && (String(view.attributes['user_id']) === person?.id || isAdministrator(person))
  const change = (of: Resource, values: ViewValues, done: Message = 'viewSaved') =>
    attempt(async () => {
      const before = Object.fromEntries(Object.keys(values).map((name) => [name, of.attributes[name]]))
      await changeView(number, of.id, values)
      toast(say(done), () => attempt(() => changeView(number, of.id, before)))
    })
  const possible = useCommands()
  const isDirty = view !== undefined && !isBare && isChanged(view, search)
  const isShared = view?.attributes['user_id'] === 0
  const share = (user_id: number) =>
    view !== undefined && isAdministrator(person) && (() => change(view, { user_id }, user_id === 0 ? 'viewShared' : 'viewUnshared'))
  const acts = useActs({
    saveView: isOwn && isDirty && (() => change(view, valuesOf(search))),
    resetView: isDirty && (() => go({ view: Number(view.id), ...stateOf(view) })),
    keepView: !isViewing && !view && isShaped(search) && (() => make(search.kind ?? 'grid')),
    copyView: !isViewing && view !== undefined && (() => make(search.kind ?? 'grid')),
    renameView: isOwn && (() => setRenamed(view)),
    linkView:
      view !== undefined && (() => void copyText(location.href).then((isCopied) => toast(say(isCopied ? 'linkCopied' : 'linkNotCopied')))),
    shareView: !isShared && share(0),
    unshareView: isShared && share(Number(person?.id)),
    deleteView:
      isOwn &&
      (() =>
        attempt(async () => {
          const back = await removeView(number, view)
          go({})
          toast(say('viewDeleted'), () => attempt(back))
        })),
  })
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
            <Menu className="menu" aria-label={String(view.attributes['view_name'])} onAction={(name) => run(name as CommandName)}>
              {MENU.filter(([name]) => acts[name] || possible.some(([one]) => one === name)).map(([name, icon, message]) => (
                <MenuItem key={name} id={name} className="menu-item" textValue={say(message)}>
                  <Icon name={icon} />
                  <span>{say(message)}</span>
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {acts.keepView && (
        <button type="button" className="button small only-wide" onClick={acts.keepView}>
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

/** The menu of a view: commands, with shorter words where it is plain what they are about. */
const MENU = [
  ['saveView', 'check', 'viewSave'],
  ['resetView', 'undo', 'viewReset'],
  ['copyView', 'copy', 'viewSaveAs'],
  ['renameView', 'edit', 'viewRename'],
  ['linkView', 'link', 'viewLink'],
  ['exportCsv', 'download', commands.exportCsv.title],
  ['exportXlsx', 'download', commands.exportXlsx.title],
  ['exportJson', 'download', commands.exportJson.title],
  ['shareView', 'share', 'viewShare'],
  ['unshareView', 'share', 'viewUnshare'],
  ['deleteView', 'trash', 'viewDelete'],
] as const satisfies readonly (readonly [CommandName, string, Message])[]

/** Takes part in the commands with what can be done now, as it is now. */
function useActs(acts: Acts): Acts {
  const now = useRef(acts)
  now.current = acts
  const names = (Object.keys(acts) as CommandName[]).filter((name) => acts[name])
  const possible = names.join()
  useEffect(
    () => act('views', Object.fromEntries(names.map((name) => [name, () => void (now.current[name] && now.current[name]())]))),
    [possible],
  )
  return acts
}

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
