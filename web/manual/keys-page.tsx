import { Fragment } from 'react'
import { Link } from '@tanstack/react-router'
import { commands, shownKeys } from '../commands/commands.ts'
import { gridKeys } from '../grid/keys.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'

/** The keys of all commands, and those of the grid. */
export function KeysPage() {
  const say = useWords()
  const withKeys = Object.values(commands).flatMap((command) => ('keys' in command ? [command] : []))
  return (
    <>
      <Head title={say('shortcuts')}>
        <Link className="button" to="/help">
          {say('help')}
        </Link>
      </Head>
      <div className="page">
        <section>
          <p>{say('helpLead')}</p>
          <KeysTable
            rows={withKeys.map((command) => ({
              title: command.title,
              keys: [command.keys, ...('otherKeys' in command ? [command.otherKeys] : [])],
            }))}
          />
        </section>
        <section>
          <h2>{say('keysGrid')}</h2>
          <KeysTable rows={gridKeys} />
        </section>
        <a className="text-link" href="/reference">
          {say('reference')}
        </a>
      </div>
    </>
  )
}

function KeysTable({ rows }: { readonly rows: readonly { readonly title: Message; readonly keys: readonly string[] }[] }) {
  const say = useWords()
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>{say('action')}</th>
          <th>{say('keys')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ title, keys }) => (
          <tr key={title}>
            <td>{say(title)}</td>
            <td>
              {keys.map((one) => (
                <Fragment key={one}>
                  <kbd className="kbd">{shownKeys(one)}</kbd>{' '}
                </Fragment>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
