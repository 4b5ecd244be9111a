import { Link } from '@tanstack/react-router'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/* The pages of the administration, as its side lists them. */

// prettier-ignore
const areas = [
  ['areaStructure', [
    { to: '/admin/tables', icon: 'grid', title: 'adminTables' },
  ]],
  ['areaPeople', [
    { to: '/admin/users', icon: 'user', title: 'usersTitle' },
    { to: '/admin/groups', icon: 'users', title: 'groupsTitle' },
    { to: '/admin/rights', icon: 'shield', title: 'rightsTitle' },
  ]],
  ['areaConnections', [
    { to: '/admin/tokens', icon: 'key', title: 'tokensTitle' },
    { to: '/admin/webhooks', icon: 'webhook', title: 'hooksTitle' },
  ]],
  ['areaOperation', [
    { to: '/admin/audit', icon: 'history', title: 'auditTitle' },
    { to: '/admin/indexes', icon: 'bolt', title: 'indexesTitle' },
    { to: '/admin/settings', icon: 'sliders', title: 'settingsTitle' },
    { to: '/admin/about', icon: 'info', title: 'aboutTitle' },
  ]],
] as const satisfies readonly (readonly [Message, readonly { readonly to: string; readonly icon: string; readonly title: Message }[]])[]

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
