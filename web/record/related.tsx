import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Document, Resource } from '../api/client.ts'
import { change } from '../api/outbox.ts'
import { isBarred } from '../api/record-rights.ts'
import { readRecord, referringTo } from '../api/records.ts'
import { fieldsOf, records, tables } from '../api/queries.ts'
import { fieldOf, type Field } from '../fields/field.ts'
import { recordsEditor } from '../fields/editors/records.tsx'
import { idsIn, idsOf } from '../fields/ids.ts'
import { plainText } from '../fields/plain.ts'
import { includeOf, titleFieldOf, useTitles } from '../fields/titles.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { MiniTable, miniColumns } from './mini-table.tsx'
import { useFollowingTable } from './use-following.ts'
import { useUndoOf } from '../ui/take-back.ts'
import { toast, toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'

/** Finds the record that is to refer to this one. */
const Finder = recordsEditor(false, { mayChange: true })

/** Records shown of each table. */
const SHOWN = 5

/** The records of other tables that refer to this one. `isGone`: it is in the trash, and none can be made to. */
export function Related({ table, id, isGone }: { readonly table: number; readonly id: string; readonly isGone: boolean }) {
  const referring = (useQuery(referringTo(table)).data?.data ?? []).map(fieldOf)
  const known = useQuery(tables).data?.data ?? []
  return referring.map((field) => {
    const from = known.find((one) => one.id === String(field.table))
    const isAlone = referring.every((one) => one === field || one.table !== field.table)
    return from && from.meta?.access?.['read'] !== false ? <Part key={field.id} {...{ field, from, id, isGone, isAlone }} /> : null
  })
}

function Part({
  field,
  from,
  id,
  isGone,
  isAlone,
}: {
  readonly field: Field
  readonly from: Resource
  readonly id: string
  readonly isGone: boolean
  /** No other field of its table refers to the record. */
  readonly isAlone: boolean
}) {
  const say = useWords()
  const trouble = useTrouble()
  const undoOf = useUndoOf(trouble)
  const [isLinking, setLinking] = useState(false)
  const linkButton = useRef<HTMLButtonElement>(null)
  const endLinking = () => {
    setLinking(false)
    // Where nothing else has taken the focus.
    requestAnimationFrame(() => document.activeElement === document.body && linkButton.current?.focus())
  }
  const structure = useQuery(fieldsOf(field.table))
  const fields = (structure.data?.data ?? []).map(fieldOf)
  const filter = field.type === 'references' ? `contains(${field.name},'-${id}-')` : `eq(${field.name},${id})`
  const found = useQuery({
    ...records({ table: field.table, offset: 0, limit: SHOWN, sort: '-id', filter, include: includeOf(fields) }),
    enabled: structure.data !== undefined,
  })
  const titleOf = useTitles(found.data, fields)
  const titleAt = useTitleAt(field)
  useFollowingTable(field.table)
  if (!found.data) return null
  const title = titleFieldOf(fields, from)
  const total = found.data.meta?.total ?? 0
  const mayAdd = !isGone && from.meta?.access?.['create'] === true && field.maySet
  // A reference that must be there is changed, not taken away.
  const mayUnlink = from.meta?.access?.['update'] === true && field.maySet && !(field.isRequired && field.type === 'reference')
  const unlink = (record: Resource) => {
    const rest = idsIn(String(record.attributes[field.name] ?? '')).filter((one) => one !== id)
    change(field.table, record.id, { [field.name]: field.type === 'references' ? idsOf(rest) : '' }, { data: record })
    toast(say('unlinked'), undoOf())
  }
  const mayLink = !isGone && from.meta?.access?.['update'] === true && field.maySet
  const link = async (other: string) => {
    endLinking()
    if (other === '') return
    try {
      const seen = await readRecord(field.table, other, includeOf([field]))
      if (isBarred(seen.data, 'update')) return toast(say('notYours'))
      const ids = idsIn(String(seen.data.attributes[field.name] ?? ''))
      if (ids.includes(id)) return
      change(field.table, other, { [field.name]: field.type === 'references' ? idsOf([...ids, id]) : id }, seen)
      const [before] = field.type === 'reference' ? ids : []
      const title = before && titleAt(seen, field.target!, before)
      toast(title ? say('linkedInstead', { title }) : say('linked'), undoOf())
    } catch (error) {
      toastRefusal(trouble(error))
    }
  }
  const name = String(from.attributes['table_name'])
  const spoken = isAlone ? name : `${name} · ${field.title}`
  return (
    <section className="part">
      <header className="row">
        <h3>
          <Icon name="reference" />
          <span className="cut">{name}</span> <span className="quiet">{total}</span>
        </h3>
        <span className="how quiet cut">{field.title}</span>
        {mayLink && !isLinking && (
          <button
            ref={linkButton}
            type="button"
            className="button small"
            aria-label={say('linkNamed', { name: spoken })}
            onClick={() => setLinking(true)}
          >
            <Icon name="link" />
            <span>{say('link')}</span>
          </button>
        )}
        {mayAdd && (
          <Link
            className="button small"
            to="/t/$table/new"
            params={{ table: from.id }}
            search={{ [field.name]: field.type === 'references' ? `-${id}-` : id } as never}
            aria-label={isAlone ? undefined : `${say('add')}: ${spoken}`}
          >
            <Icon name="plus" />
            <span>{say('add')}</span>
          </Link>
        )}
      </header>
      {isLinking && (
        <div className="linking">
          <Finder
            field={{ ...field, target: field.table }}
            value=""
            label={say('linkNamed', { name: spoken })}
            isInGrid={false}
            titleOf={titleOf}
            onCommit={(other) => void link(String(other))}
            onCancel={endLinking}
          />
        </div>
      )}
      {total > 0 && (
        <MiniTable
          table={from.id}
          {...{ titleOf, mayUnlink }}
          shown={miniColumns(fields, title, field)}
          lines={found.data.data.map((record) => ({
            id: record.id,
            record,
            ...(mayUnlink && !isBarred(record, 'update') && { unlink: () => unlink(record) }),
          }))}
        />
      )}
      {total > SHOWN && (
        <Link className="text-link" to="/t/$table" params={{ table: from.id }} search={{ filter }}>
          {say('showAll', { count: total })}
        </Link>
      )}
    </section>
  )
}

/** Titles of the records to which a field refers, once they came along with one that refers to them. */
function useTitleAt(field: Field): (seen: Document<unknown>, target: number, id: string) => string | undefined {
  const structure = useQuery(fieldsOf(field.target!)).data?.data ?? []
  const known = useQuery(tables).data?.data ?? []
  return (seen, target, id) => {
    const record = seen.included?.find((one) => one.type === `data${target}` && one.id === id)
    const named = titleFieldOf(structure.map(fieldOf), known.find((one) => one.id === String(target))) // prettier-ignore
    return record && named && plainText(named, record.attributes[named.name])
  }
}
