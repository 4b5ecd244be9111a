import { Link } from '@tanstack/react-router'
import { commands, shownKeys } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'

/** The keys of all commands. */
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
          <table className="plain-table">
            <thead>
              <tr>
                <th>{say('action')}</th>
                <th>{say('keys')}</th>
              </tr>
            </thead>
            <tbody>
              {withKeys.map((command) => (
                <tr key={command.title}>
                  <td>{say(command.title)}</td>
                  <td>
                    <kbd className="kbd">{shownKeys(command.keys)}</kbd>{' '}
                    {'otherKeys' in command && <kbd className="kbd">{shownKeys(command.otherKeys)}</kbd>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <a className="text-link" href="/reference">
          {say('reference')}
        </a>
      </div>
    </>
  )
}
