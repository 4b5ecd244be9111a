import type { Resource } from '../api/client.ts'
import type { TitleOf } from '../fields/field.ts'
import { soughtIn } from '../fields/sought.ts'
import { showStill } from '../fields/types.ts'
import type { CardFields } from './card-fields.ts'

/** The fields of a record that its card shows: those that are filled. */
export function CardLines({
  shows: { fields, most },
  record,
  titleOf,
}: {
  readonly shows: CardFields
  readonly record: Resource
  readonly titleOf: TitleOf
}) {
  return fields
    .flatMap((field) => {
      const value = showStill(field, record.attributes[field.name], titleOf, true)
      return value === null || value === '' ? [] : [{ field, value }]
    })
    .slice(0, most)
    .map(({ field, value }) => (
      <span key={field.id} className="cut">
        <span className="quiet">
          <bdi>{field.title}</bdi>:{' '}
        </span>
        <span data-sought={soughtIn(field)}>{value}</span>
      </span>
    ))
}
