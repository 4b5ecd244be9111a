import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { installation, type Setting } from '../api/installation.ts'
import { locale } from '../api/preferences.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { Head } from '../ui/head.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { bytes } from './bytes.ts'
import { wordsOfSetting } from './setting-words.ts'
import { OnlyAdministrators } from './only-administrators.tsx'
import './operation.css'

export const SettingsPage = () => (
  <OnlyAdministrators of="table">
    <Settings />
  </OnlyAdministrators>
)

const sources: Readonly<Record<Setting['source'], readonly [look: string, word: Message]>> = {
  default: ['calm', 'sourceDefault'],
  environment: ['accent', 'sourceEnvironment'],
  flag: ['accent', 'sourceFlag'],
}

/** All settings of the service with where they come from; who runs the service changes them. */
function Settings() {
  const say = useWords()
  const asked = useQuery(installation)
  const [isSetOnly, setSetOnly] = useState(false)
  const all = asked.data?.settings.filter(({ source }) => !isSetOnly || source !== 'default') ?? []
  return (
    <>
      <Head title={say('settingsTitle')} />
      <div className="admin ledgers">
        <p className="quiet ledger-lead">{say('settingsLead')}</p>
        <Choice
          name={say('settingsShow')}
          value={isSetOnly ? 'set' : 'all'}
          options={[
            ['all', say('settingsAll')],
            ['set', say('settingsSet')],
          ]}
          onChoose={(value) => setSetOnly(value === 'set')}
        />
        {asked.error && !asked.data ? (
          <Trouble error={asked.error} again={() => void asked.refetch()} />
        ) : !asked.data ? (
          <Skeleton />
        ) : all.length === 0 ? (
          <p className="quiet">{say('settingsNone')}</p>
        ) : (
          <table className="ledger">
            <thead>
              <tr>
                <th scope="col">{say('settingName')}</th>
                <th scope="col">{say('settingValue')}</th>
                <th scope="col">{say('settingSource')}</th>
              </tr>
            </thead>
            <tbody>
              {all.map((one) => (
                <tr key={one.name}>
                  <th scope="row">
                    <span className="mono">{one.name}</span>
                    <Says of={one} />
                  </th>
                  <td>
                    {one.value === '' ? (
                      <span className="quiet">{say('settingEmpty')}</span>
                    ) : one.value === '…' ? (
                      say('settingSecret')
                    ) : (
                      <span className="mono setting-value">{one.value}</span>
                    )}
                    {inWords(one) !== undefined && <small>{inWords(one)}</small>}
                    {one.source !== 'default' && <small>{say('settingDefault', { value: one.byDefault || say('settingEmpty') })}</small>}
                  </td>
                  <td>
                    <span className={`pill ${sources[one.source][0]}`}>{say(sources[one.source][1])}</span>
                    <small className="mono">{one.variable}</small>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </>
  )
}

/** Bytes, seconds and milliseconds as people write them. */
function inWords({ name, value }: Setting): string | undefined {
  const number = Number(value)
  if (value === '' || !Number.isSafeInteger(number) || number === 0) return undefined
  if (name.endsWith('-limit')) return bytes(number)
  const seconds = name.includes('-lifetime') ? number : name.endsWith('-timeout') ? number / 1000 : undefined
  if (seconds === undefined) return undefined
  const [unit, size] = lengths.find(([, length]) => seconds >= length && seconds % length === 0) ?? ['second', 1]
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}

const lengths = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** One that these pages do not know is explained by the service, in English. */
function Says({ of }: { readonly of: Setting }) {
  const say = useWords()
  const word = wordsOfSetting(of.name)
  return word ? <small>{say(word)}</small> : <small lang="en">{of.says}</small>
}
