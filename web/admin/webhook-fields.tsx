import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/client.ts'
import { tables } from '../api/queries.ts'
import type { Wanted } from '../api/webhooks.ts'
import type { Message } from '../i18n/messages.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import { TableOptions } from '../ui/table-options.tsx'
import { refusalOf } from './receiver-words.ts'
import { TextSetting } from './setting.tsx'

const actions: Readonly<Record<string, Message>> = {
  create: 'hookCreate',
  update: 'hookUpdate',
  delete: 'hookDelete',
  restore: 'hookRestore',
  convert: 'hookConvert',
  erase: 'hookErase',
}

/** Where a webhook sends, and what. */
export function WebhookFields({
  of,
  error,
  onChange,
}: {
  readonly of: Wanted
  readonly error: unknown
  /** What it returns is waited for; false: it was not saved. */
  readonly onChange: (changes: Partial<Wanted>) => unknown
}) {
  const say = useWords()
  const known = useQuery(tables).data?.data ?? []
  const wrong = (name: string) => (error instanceof ApiError ? error.attributes.get(name) : undefined)
  const url = wrong('url')
  const refusal = url === undefined ? undefined : refusalOf(url)
  const toggle = (name: string, isOn: boolean) =>
    onChange({ actions: Object.keys(actions).filter((one) => (one === name ? isOn : of.actions.includes(one))) })
  return (
    <>
      <TextSetting
        name={say('hookAddress')}
        value={of.url}
        error={refusal ? say(refusal) : url && told(url)}
        onSave={(value) => onChange({ url: value.trim() })}
      />
      <label className="admin-field">
        <span className="name">{say('hookOf')}</span>
        <Select
          value={String(of.table_id)}
          onChoose={(id) => onChange({ table_id: Number(id), ...(id === '0' && of.filter !== '' && { filter: '' }) })}
        >
          <option value="0">{say('hookAllTables')}</option>
          {!known.some(({ id }) => id === String(of.table_id)) && of.table_id !== 0 && (
            <option value={of.table_id}>{say('hookTableGone', { id: of.table_id })}</option>
          )}
          <TableOptions tables={known} />
        </Select>
      </label>
      <fieldset className="ticks">
        <legend className="name">{say('hookActions')}</legend>
        {Object.entries(actions).map(([name, word]) => (
          <label key={name} className="admin-tick">
            <input
              type="checkbox"
              className="tick"
              checked={of.actions.includes(name)}
              onChange={({ target }) => toggle(name, target.checked)}
            />
            <span>{say(word)}</span>
          </label>
        ))}
        <small className="quiet">{say('hookActionsHint')}</small>
      </fieldset>
      {of.table_id !== 0 && (
        <TextSetting
          name={say('hookFilter')}
          value={of.filter}
          error={wrong('filter')}
          onSave={(filter) => onChange({ filter: filter.trim() })}
        />
      )}
    </>
  )
}
