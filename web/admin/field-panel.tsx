import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { effectsOf, remove, takeBack } from '../api/administration.ts'
import { ApiError, type Resource } from '../api/client.ts'
import { fieldsOf } from '../api/queries.ts'
import { changeAct } from '../api/structure-acts.ts'
import { fieldOf, isSameTitle, type Field } from '../fields/field.ts'
import { sameSection, titlesOf } from '../fields/sections.ts'
import { typeOf } from '../fields/types.ts'
import { quote } from '../filter/language.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import { Conversion } from './conversion.tsx'
import { kindOf } from './kinds.ts'
import type { EditOptions } from './options.tsx'
import { OwnSettings } from './own-settings.tsx'
import { Panel } from './panel.tsx'
import { TextSetting, TickSetting } from './setting.tsx'
import { RulesBy } from './rules-by.tsx'
import { useActs } from './use-acts.ts'
import { useDoing } from './use-doing.ts'
import { UsedIn } from './used-in.tsx'

/** The settings of a field, each saved by itself. */
export function FieldPanel({
  field: resource,
  table,
  onClose,
}: {
  readonly field: Resource
  readonly table: Resource
  readonly onClose: () => void
}) {
  const say = useWords()
  const trouble = useTrouble()
  const doing = useDoing()
  const put = useActs(doing)
  const [last, setLast] = useState('')
  const field = fieldOf(resource)
  const kind = kindOf(field.type)
  const effects = useQuery(effectsOf('field', resource.id))
  const fields = (useQuery(fieldsOf(field.table)).data?.data ?? []).map(fieldOf)
  const isTaken = fields.some((one) => one.id !== field.id && isSameTitle(one.title, field.title))
  // The letters of a section of this field alone may be changed.
  const others = titlesOf(fields.filter(({ id }) => id !== field.id))
  const save = (name: string, value: unknown) => {
    setLast(name)
    return put(field.title, () => changeAct('field', resource.id, { [name]: value }))
  }
  const editOptions = (edit: EditOptions) => {
    setLast('options')
    void put(field.title, () =>
      changeAct('field', resource.id, (now) => ({ options: edit(fieldOf({ ...resource, attributes: now }).options) })),
    )
  }
  const refusal = doing.is === 'refused' && last !== '' ? doing.error : undefined
  const errorOf = (name: string): string | undefined =>
    refusal === undefined || last !== name
      ? undefined
      : refusal instanceof ApiError && refusal.attributes.has(name)
        ? told(refusal.attributes.get(name)!)
        : trouble(refusal)

  async function toTrash() {
    setLast('')
    const { records } = await remove('field', resource.id)
    toast(say('adminFieldWent', { name: field.title, records }), () => void takeBack('field', resource.id))
    onClose()
  }
  const isNamedByRule = doing.error instanceof ApiError && doing.error.code === 'field.in_use'
  const duplicates = last === 'unique' && refusal instanceof ApiError && refusal.code === 'field.has_duplicates' ? refusal.meta : undefined

  return (
    <Panel
      title={field.title}
      icon={typeOf(field).icon}
      onClose={onClose}
      state={
        <>
          <span className="mono quiet">{field.name}</span>
          <span className="state" role="status">
            {doing.is === 'saving' ? (
              say('saving')
            ) : doing.is === 'saved' ? (
              <>
                <Icon name="check" size="s" /> {say('saved')}
              </>
            ) : null}
          </span>
        </>
      }
    >
      <div className="admin-form">
        <TextSetting
          name={say('adminName')}
          value={field.title}
          {...(isTaken && { hint: say('fieldSameName') })}
          error={errorOf('field_name')}
          onSave={(value) => save('field_name', value)}
        />
        <Conversion field={field} />
        <TextSetting name={say('fieldHint')} value={field.hint} error={errorOf('hint')} onSave={(value) => save('hint', value)} />
        <TextSetting
          name={say('fieldSection')}
          hint={say('fieldSectionHint')}
          value={field.section}
          offered={titlesOf(fields)}
          error={errorOf('section')}
          read={(typed) => sameSection(typed, others)}
          onSave={(value) => save('section', value)}
        />
        {kind && (
          <OwnSettings resource={resource} kind={kind} uses={effects.data?.listed} errorOf={errorOf} onSave={save} onEdit={editOptions} />
        )}
        {field.type !== 'autonumber' && (
          <TickSetting
            name={say('fieldRequired')}
            hint={say('fieldRequiredHint')}
            value={field.isRequired}
            error={errorOf('required')}
            onSave={(value) => void save('required', value)}
          />
        )}
        {kind?.mayBeUnique && (
          <TickSetting
            name={say('fieldUnique')}
            hint={say('fieldUniqueHint')}
            value={resource.attributes['unique'] === true}
            error={
              duplicates ? (
                <Duplicates
                  field={field}
                  count={Number(duplicates['count'])}
                  examples={((duplicates['examples'] ?? []) as readonly unknown[]).map(String)}
                />
              ) : (
                errorOf('unique')
              )
            }
            onSave={(value) => void save('unique', value)}
          />
        )}
        {Number(table.attributes['title_field_id']) !== field.id && (
          <button
            type="button"
            className="button line"
            onClick={() => {
              setLast('')
              void put(field.title, () => changeAct('table', table.id, { title_field_id: field.id }))
            }}
          >
            {say('designerMakeTitle')}
          </button>
        )}
        <UsedIn table={field.table} effects={effects.data} />
        {doing.is === 'refused' &&
          last === '' &&
          (isNamedByRule ? (
            <p className="note bad" role="alert">
              {say('adminInUse', { name: field.title })}
            </p>
          ) : (
            <Trouble error={doing.error} />
          ))}
        {effects.data?.refused === 'field.in_use' ? (
          <RulesBy effects={effects.data} title="rulesKeep" role="note" />
        ) : (
          <div className="row admin-end">
            <button type="button" className="button bad" disabled={effects.isPending} onClick={() => void doing.run(toTrash)}>
              <Icon name="trash" />
              {say('fieldToTrash')}
            </button>
          </div>
        )}
      </div>
    </Panel>
  )
}

/** The values that stand in several records, each with a way to these records. */
function Duplicates({ field, count, examples }: { readonly field: Field; readonly count: number; readonly examples: readonly string[] }) {
  const say = useWords()
  return (
    <>
      {say('fieldDuplicates', { count })}
      {examples.map((value, i) => (
        <span key={value}>
          {i === 0 ? ' ' : ', '}
          <Link
            className="text-link"
            to="/t/$table"
            params={{ table: String(field.table) }}
            search={{ filter: `eq(${field.name},${quote(value)})` }}
          >
            {value}
          </Link>
        </span>
      ))}
      {count > examples.length && ` ${say('moreOf', { count: count - examples.length })}`}
    </>
  )
}
