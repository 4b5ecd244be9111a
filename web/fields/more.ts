import type { Resource } from '../api/client.ts'
import type { Field } from './field.ts'
import { plainText } from './plain.ts'

/** Types whose values say something in a few letters. */
const SHORT: ReadonlySet<string> = new Set(['text', 'email', 'phone', 'url', 'list', 'integer', 'decimal', 'date', 'autonumber'])

/** Values that are shown beside the title of a record. */
const SHOWN = 2

/** The first short values of a record besides its title, by which records of one title are told apart. */
export const moreOf = (
  fields: readonly Field[],
  title: Field | undefined,
  { attributes }: Pick<Resource, 'attributes'>,
): readonly string[] =>
  fields
    .flatMap((one) => {
      const text = one !== title && SHORT.has(one.type) ? plainText(one, attributes[one.name]) : ''
      return text === '' ? [] : [text]
    })
    .slice(0, SHOWN)
