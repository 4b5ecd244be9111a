import { useEffect } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'
import { act, type CommandName } from '../commands/commands.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/* The pages of the administration, as its side lists them. */

// prettier-ignore
const areas = [
  ['areaStructure', [
    { to: '/admin/tables', icon: 'grid', title: 'adminTables', command: 'administration' },
  ]],
  ['areaPeople', [
    { to: '/admin/users', icon: 'user', title: 'usersTitle', command: 'adminUsers' },
    { to: '/admin/groups', icon: 'users', title: 'groupsTitle', command: 'adminGroups' },
    { to: '/admin/rights', icon: 'shield', title: 'rightsTitle', command: 'adminRights' },
  ]],
  ['areaConnections', [
    { to: '/admin/tokens', icon: 'key', title: 'tokensTitle', command: 'adminTokens' },
    { to: '/admin/webhooks', icon: 'webhook', title: 'hooksTitle', command: 'adminWebhooks' },
  ]],
  ['areaOperation', [
    { to: '/admin/audit', icon: 'history', title: 'auditTitle', command: 'adminAudit' },
    { to: '/admin/indexes', icon: 'bolt', title: 'indexesTitle', command: 'adminIndexes' },
    { to: '/admin/storage', icon: 'disk', title: 'storageTitle', command: 'adminStorage' },
    { to: '/admin/settings', icon: 'sliders', title: 'settingsTitle', command: 'adminSettings' },
    { to: '/admin/about', icon: 'info', title: 'aboutTitle', command: 'adminAbout' },
  ]],
] as const satisfies readonly (readonly [Message, readonly Page[]])[]

interface Page {
  readonly to: string
  readonly icon: string
  readonly title: Message
  readonly command: CommandName
}

/** Each page by its name in the palette. */
export function useAreaCommands(isAdministrator: boolean): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isAdministrator) return undefined
    const pages = areas.flatMap(([, some]) => [...some])
    return act('areas', Object.fromEntries(pages.map(({ command, to }) => [command, () => void navigate({ to })])))
  }, [isAdministrator, navigate])
}

export function Areas() {
  const say = useWords()
  return areas.map(([title, pages]) => (
    <section key={title}>
      <h2 className="side-title">{say(title)}</h2>
      {pages.map((page) => (
        <Link key={page.to} className="side-item" to={page.to} activeOptions={{ includeSearch: false }}>
          <Icon name={page.icon} />
          <span className="cut">{say(page.title)}</span>
        </Link>
      ))}
    </section>
  ))
}
