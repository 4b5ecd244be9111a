import type { ReactNode } from 'react'
import type { Resource } from '../api/client.ts'
import type { Live } from '../api/live-lists.ts'
import { locale } from '../api/preferences.ts'
import { fileAddress } from '../api/records.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { Label } from '../fields/labels.tsx'
import { plainText } from '../fields/plain.ts'
import { soughtIn } from '../fields/sought.ts'
import { showStill } from '../fields/types.ts'
import type { Head } from '../grid/lines.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { RecordLink } from '../ui/record-link.tsx'
import type { CardFields } from '../views/card-fields.ts'
import { CardLines } from '../views/card-lines.tsx'
import { marksOf, Why } from '../views/marks.tsx'
import type { Picked } from './use-picked.ts'

/** What all cards of a list have in common. */
export interface CardOf {
  readonly table: string
  readonly title: Field | undefined
  readonly picture: Field | undefined
  readonly shows: CardFields
  readonly titleOf: TitleOf
  readonly live: Live
  readonly picked: Picked
}

/** A card of a list: it leads to its record, or chooses it while the person chooses some. */
export function RecordCard({ of, record }: { readonly of: CardOf; readonly record: Resource }) {
  const say = useWords()
  const { table, title, picture, shows, titleOf, live, picked } = of
  const name = (title && showStill(title, record.attributes[title.name], titleOf)) ?? say('record', { id: record.id })
  const content = (heading: ReactNode) => (
    <>
      {picture && <Picture field={picture} {...{ record }} />}
      {heading}
      <CardLines {...{ shows, record, titleOf }} />
      <Why {...{ live }} record={record.id} />
    </>
  )
  const className = marksOf('card', live, record.id)
  if (!picked.isOn)
    return (
      <RecordLink className={className} {...{ table }} record={record.id}>
        {content(
          <h2 className="cut" data-sought={title && soughtIn(title)}>
            {name}
          </h2>,
        )}
      </RecordLink>
    )
  return (
    <label className={`${className} pickable`}>
      <input
        type="checkbox"
        aria-label={(title && plainText(title, record.attributes[title.name])) || say('record', { id: record.id })}
        checked={picked.has(record.id)}
        disabled={picked.isAll}
        onChange={() => picked.toggle(record)}
      />
      {content(<strong className="cut">{name}</strong>)}
    </label>
  )
}

/** The head of a group of cards, which folds them away. */
export function CardGroup({ head, field, onFold }: { readonly head: Head; readonly field: Field; onFold(value: string): void }) {
  const say = useWords()
  const { value, label, count, isFolded } = head
  return (
    <h2 className="card-group">
      <button type="button" aria-expanded={!isFolded} onClick={() => onFold(value)}>
        <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size="s" />
        <span className="cut">{field.type === 'list' && value !== '' ? <Label {...{ field }} text={label} /> : label}</span>
        <span className="quiet num" aria-hidden="true">
          {new Intl.NumberFormat(locale()).format(count)}
        </span>
        <span className="said">{say('records', { count })}</span>
      </button>
    </h2>
  )
}

/** The first image of a record, small. */
function Picture({ field, record }: { readonly field: Field; readonly record: Resource }) {
  const [name = ''] = String(record.attributes[field.name] ?? '').split('\r\n')
  return name === '' ? null : (
    <img className="picture" alt="" loading="lazy" src={fileAddress(field.table, field.name, record.id, name, 256)} />
  )
}
