import { useId } from 'react'
import type { Affected } from '../api/administration.ts'
import type { Resource } from '../api/client.ts'
import { fieldOf } from '../fields/field.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import type { kindOf, Setting } from './kinds.ts'
import { Options, type EditOptions } from './options.tsx'
import { TextSetting } from './setting.tsx'

const numbers: Partial<Record<Setting, Message>> = {
  scale: 'fieldScale',
  max_length: 'fieldMaxLength',
  max_files: 'fieldMaxFiles',
  max_kilobytes: 'fieldMaxSize',
}
const ends: Partial<Record<Setting, Message>> = { min: 'fieldMin', max: 'fieldMax' }

/** What can be set in fields of this type, and the value of new records. */
export function OwnSettings({
  resource: { attributes, ...resource },
  kind,
  uses,
  errorOf,
  onSave,
  onEdit,
}: {
  readonly resource: Resource
  readonly kind: NonNullable<ReturnType<typeof kindOf>>
  /** What names the field; undefined: not known yet. */
  readonly uses: readonly Affected[] | undefined
  readonly errorOf: (name: string) => string | undefined
  readonly onSave: (name: string, value: unknown) => unknown
  readonly onEdit: (edit: EditOptions) => void
}) {
  const say = useWords()
  const field = fieldOf({ attributes, ...resource })
  const text = (name: string) => (attributes[name] === null || attributes[name] === undefined ? '' : String(attributes[name]))
  return (
    <>
      {kind.settings.includes('options') && <Options options={field.options} uses={uses} error={errorOf('options')} onEdit={onEdit} />}
      <div className="admin-pair">
        {kind.settings.map((name) => {
          const number = numbers[name]
          const end = ends[name]
          if (number)
            return (
              <TextSetting
                key={name}
                name={say(number)}
                value={text(name)}
                isNumber
                error={errorOf(name)}
                onSave={(value) => onSave(name, value.trim() === '' ? null : /^\d+$/.test(value.trim()) ? Number(value) : value)}
              />
            )
          if (end)
            return (
              <TextSetting
                key={name}
                name={say(end)}
                value={text(name)}
                error={errorOf(name)}
                onSave={(value) => onSave(name, value.trim())}
              />
            )
          return null
        })}
      </div>
      {kind.settings.includes('file_extensions') && (
        <TextSetting
          name={say('fieldExtensions')}
          value={field.extensions.join(', ')}
          error={errorOf('file_extensions')}
          onSave={(value) =>
            onSave(
              'file_extensions',
              value.split(/[\s,;]+/).flatMap((one) => one.replace(/^\./, '') || []),
            )
          }
        />
      )}
      <Default
        field={{ attributes, ...resource }}
        kind={kind}
        error={errorOf('default_value')}
        onSave={(value) => onSave('default_value', value)}
      />
    </>
  )
}

const none = new Set(['autonumber', 'file', 'image', 'reference', 'references', 'group'])

function Default({
  field: resource,
  kind,
  error,
  onSave,
}: {
  readonly field: Resource
  readonly kind: NonNullable<ReturnType<typeof kindOf>>
  readonly error: string | undefined
  readonly onSave: (value: string) => unknown
}) {
  const say = useWords()
  const id = useId()
  const field = fieldOf(resource)
  const value = String(resource.attributes['default_value'] ?? '')
  if (none.has(field.type)) return null
  const choices: readonly (readonly [string, string])[] | undefined =
    field.type === 'list'
      ? field.options.map(({ label }) => [label, label])
      : field.type === 'boolean'
        ? [
            ['1', say('yes')],
            ['0', say('no')],
          ]
        : kind.defaults && Object.entries(kind.defaults).map(([word, message]) => [word, say(message)])
  if (!choices) return <TextSetting name={say('fieldDefault')} value={value} error={error} onSave={onSave} />
  return (
    <div className="admin-field">
      <label className="name" htmlFor={id}>
        {say('fieldDefault')}
      </label>
      <Select id={id} value={value} onChoose={onSave}>
        <option value="">{say('fieldNothing')}</option>
        {choices.map(([word, title]) => (
          <option key={word} value={word}>
            {title}
          </option>
        ))}
        {value !== '' && !choices.some(([word]) => word === value) && <option value={value}>{value}</option>}
      </Select>
      {error !== undefined && (
        <span className="admin-wrong" role="alert">
          {error}
        </span>
      )}
    </div>
  )
}
