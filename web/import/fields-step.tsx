import { useEffect, useId, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Column, Preview } from '../api/imports.ts'
import type { Resource } from '../api/client.ts'
import { preferences } from '../api/preferences.ts'
import { fieldsOf } from '../api/queries.ts'
import { fieldOf, type Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import { ColumnType, linkValue, useLinks, writtenAs } from './column-type.tsx'
import { noticed } from './file-step.tsx'
import { dateFormats, namingBy, patternIn, SEVERAL, typeOfLinks, wishOf } from './mapping.ts'
import { useTargets } from './targets.ts'
import type { Drafted } from './use-draft.ts'

/** Where each column goes: to a field of the table, to a new one, or nowhere. */
export function FieldsStep({ preview, table, draft }: { readonly preview: Preview; readonly table: number; readonly draft: Drafted }) {
  const say = useWords()
  const { mayMake } = useTargets()
  const structure = useQuery({ ...fieldsOf(table), enabled: table !== 0 })
  const fields = (structure.data?.data ?? []).map(fieldOf)
  const { columns, rows } = preview
  const told = (message: 'importMapKnown' | 'importMapNew' | 'importMapOut', is: (column: Column) => boolean) => {
    const count = columns.filter(is).length
    return count > 0 ? [say(message, { count })] : []
  }
  return (
    <>
      <div className="section-line">
        <h2>{say('importMapTitle')}</h2>
        <span className="quiet" role="status">
          {[
            ...told('importMapKnown', ({ field }) => field !== undefined),
            ...told('importMapNew', ({ create }) => create !== undefined),
            ...told('importMapOut', ({ skip }) => skip === true),
          ].join(' · ')}
        </span>
      </div>
      <Key preview={preview} fields={structure.data?.data ?? []} draft={draft} />
      <table className="box mapping">
        <thead>
          <tr>
            <th scope="col">{say('importColumn')}</th>
            <th scope="col">{say('importExample')}</th>
            <th scope="col">{say('importGoesTo')}</th>
            <th scope="col">{say('importType')}</th>
            <th scope="col">{say('importWritten')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, i) => (
            <tr key={column.header} className={column.skip === true ? 'is-out' : undefined}>
              <th scope="row">
                <span className="cut">{column.header}</span>
              </th>
              <td className="sample">
                <span className="cut">{example(rows, i)}</span>
              </td>
              <td>
                <Goal {...{ column, fields, draft, mayMake, at: i, makes: table === 0 }} />
              </td>
              <td>
                <Kind {...{ column, fields, draft, at: i, makes: table === 0 }} />
              </td>
              <td>
                <Writing {...{ column, fields, draft, at: i, makes: table === 0 }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** Whether lines change records that are there: those with the same value in a unique field. */
function Key({ preview, fields, draft }: { readonly preview: Preview; readonly fields: readonly Resource[]; readonly draft: Drafted }) {
  const say = useWords()
  const client = useQueryClient()
  const id = useId()
  const kept = preview.update_by ?? ''
  const possible = fields.filter(({ attributes }) => {
    const name = attributes['int_name'] as string
    return attributes['unique'] === true && preview.columns.some(({ field, reference }) => field === name && !reference)
  })
  const value = possible.find(({ attributes }) => kept === attributes['int_name'] || kept === attributes['field_name'])
  if (possible.length === 0) return null
  const choose = (chosen: string) => {
    client.setQueryData<Preview>(['import', draft.id], (before) => before && { ...before, update_by: chosen })
    void draft.put({ update_by: chosen === '' ? null : chosen })
  }
  return (
    <div className="box key">
      <label htmlFor={id}>{say('importKey')}</label>
      <Select id={id} value={String(value?.attributes['int_name'] ?? '')} onChoose={choose}>
        <option value="">{say('importKeyNone')}</option>
        {possible.map(({ attributes }) => (
          <option key={attributes['int_name'] as string} value={attributes['int_name'] as string}>
            {say('importKeyBy', { name: String(attributes['field_name']) })}
          </option>
        ))}
      </Select>
      {value && <span className="quiet">{say('importKeyHint')}</span>}
    </div>
  )
}

const example = (rows: Preview['rows'], at: number) =>
  [...new Set(rows.map(({ values }) => values[at] ?? '').filter((value) => value !== ''))].slice(0, 3).join(', ').slice(0, 200)

interface Part {
  readonly column: Column
  readonly at: number
  readonly fields: readonly Field[]
  readonly makes: boolean
  readonly draft: Drafted
}

const NEW = ' new'

function Goal({ column, at, fields, makes, draft, mayMake }: Part & { readonly mayMake: boolean }) {
  const say = useWords()
  const { header, field, field_name, create, skip } = column
  const [name, setName] = useState(create?.name ?? '')
  useEffect(() => setName(create?.name ?? ''), [create?.name])
  const value = skip === true ? '' : field !== undefined ? field : NEW
  const choose = (chosen: string) => {
    if (chosen === '') return draft.putColumn(at, { skip: true }, { skip: true })
    if (chosen !== NEW) return draft.putColumn(at, { field: chosen }, { field: chosen, field_name: chosen })
    draft.putColumn(at, { create: { name: header } }, { create: { name: header, type: 'text', unique: false }, guessed: true })
  }
  const rename = () => {
    const next = name.trim()
    if (!create || next === '' || next === create.name) return setName(create?.name ?? '')
    const wish = wishOf(column, makes)
    draft.putColumns([
      { at, wish: { ...wish, create: { ...wish?.create, name: next } }, shown: { ...column, create: { ...create, name: next } } },
      ...namingBy(draft.query.data?.columns ?? [], create.name, next, makes),
    ])
  }
  return (
    <span className="goal">
      {!makes && (
        <Select name={say('importFieldFor', { name: header })} value={value} isQuiet={skip === true} onChoose={choose}>
          {fields.map((one) => (
            <option key={one.name} value={one.name}>
              {one.title}
            </option>
          ))}
          {field !== undefined && !fields.some((one) => one.name === field) && <option value={field}>{field_name}</option>}
          {(mayMake || create) && <option value={NEW}>{say('importNewField')}</option>}
          <option value="">{say('importLeaveOut')}</option>
        </Select>
      )}
      {create && (
        <input
          className="input"
          aria-label={say('importNameFor', { name: header })}
          value={name}
          maxLength={255}
          onChange={({ target }) => setName(target.value)}
          onBlur={rename}
          onKeyDown={({ key }) => key === 'Enter' && rename()}
        />
      )}
    </span>
  )
}

function Kind({ column, at, fields, makes, draft }: Part) {
  const say = useWords()
  const { header, field, create, reference } = column
  const goal = fields.find((one) => one.name === field)
  const links = useLinks(goal?.target ?? 0)
  if (goal?.type === 'reference' || goal?.type === 'references') {
    const value = reference ? linkValue(reference) : linkValue({ table_id: goal.target ?? 0, field: 'id' })
    const choose = (chosen: string) => {
      const found = links.find((one) => one.value === chosen)?.reference
      if (found) draft.putColumn(at, { field: goal.name, reference: found }, { ...column, reference: found })
    }
    return (
      <Select name={say('importTypeFor', { name: header })} value={value} onChoose={choose}>
        {links.map((link) => (
          <option key={link.value} value={link.value}>
            {link.title}
          </option>
        ))}
      </Select>
    )
  }
  if (!create) return makes ? <ColumnType column={column} at={at} makes draft={draft} /> : null
  const unique = (isUnique: boolean) => {
    const wish = wishOf(column, makes)
    draft.putColumn(at, { ...wish, create: { ...wish?.create, unique: isUnique } }, { ...column, create: { ...create, unique: isUnique } })
  }
  const several = (isSeveral: boolean) => {
    const made = { name: create.name, unique: create.unique }
    draft.putColumn(
      at,
      { create: { ...made, ...typeOfLinks(isSeveral) }, reference: reference! },
      { ...column, create: { ...made, type: isSeveral ? SEVERAL : 'reference' } },
    )
  }
  return (
    <span className="goal">
      <ColumnType column={column} at={at} makes={makes} draft={draft} />
      {create.type !== 'boolean' && create.type !== 'longtext' && !reference && (
        <label className="ticked">
          <input
            type="checkbox"
            className="tick"
            checked={create.unique}
            aria-label={say('importUniqueFor', { name: header })}
            onChange={({ target }) => unique(target.checked)}
          />
          <span>{say('importUnique')}</span>
        </label>
      )}
      {reference && (
        <label className="ticked" title={say('importSeveralHint')}>
          <input
            type="checkbox"
            className="tick"
            checked={create.type === SEVERAL}
            aria-label={say('importSeveralFor', { name: header })}
            onChange={({ target }) => several(target.checked)}
          />
          <span>{say('importSeveral')}</span>
        </label>
      )}
    </span>
  )
}

function Writing({ column, at, fields, makes, draft }: Part) {
  const say = useWords()
  const { header, field, create, skip, date_format, decimal, ambiguous } = column
  const type = create?.type ?? fields.find((one) => one.name === field)?.type ?? ''
  if (skip === true || column.reference) return null
  const { language } = preferences()
  const asks = ambiguous === true
  const put = (written: Pick<Column, 'date_format' | 'decimal'>) => {
    const { date_format: _, decimal: __, ...plain } = writtenAs(column, makes, {})
    const { ambiguous: ___, date_format: ____, decimal: _____, ...shown } = column
    draft.putColumn(at, { ...plain, ...written }, { ...shown, ...written })
  }
  if (type === 'date' || type === 'datetime')
    return (
      <Select
        name={say('importWrittenFor', { name: header })}
        value={date_format ?? ''}
        onChoose={(chosen) => put(chosen === '' ? {} : { date_format: chosen })}
      >
        <option value="">{asks ? say('importAmbiguous') : patternIn('YYYY-MM-DD', language)}</option>
        {dateFormats.map((one) => (
          <option key={one} value={one}>
            {patternIn(one, language)}
          </option>
        ))}
      </Select>
    )
  if (type === 'decimal' || type === 'integer')
    return (
      <Select
        name={say('importWrittenFor', { name: header })}
        value={decimal ?? ''}
        onChoose={(chosen) => put(chosen === '.' || chosen === ',' ? { decimal: chosen } : {})}
      >
        <option value="">{asks ? say('importAmbiguous') : '1234.56'}</option>
        <option value=",">1 234,56</option>
        <option value=".">1,234.56</option>
      </Select>
    )
  if (asks)
    return (
      <span className="state warn">
        <Icon name="warn" />
        {say('importAmbiguous')}
      </span>
    )
  return <span className="quiet">{noticed(say, column)}</span>
}
