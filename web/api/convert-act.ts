import { refresh } from './administration.ts'
import { send, type Resource } from './client.ts'
import { same } from './structure-acts.ts'
import type { TakeBack } from './undo.ts'

/* Another type for a field, at once, and how it is taken back. */

type Values = Readonly<Record<string, unknown>>

/** What may go with the other type. */
const settings = ['unique', 'max_length', 'scale'] as const
/** The same; an empty number becomes 0, which may be outside of these. */
const later = ['default_value', 'min', 'max'] as const

/** Types whose values texts hold as they are: read again, they are the same. Options, links and times of a zone are not among them. */
const plain: ReadonlySet<string> = new Set(['integer', 'decimal', 'boolean', 'date', 'email', 'phone', 'url'])

/** Whether every value is again what it was, once the type is the one before. */
export const comesBack = (from: string, to: string): boolean =>
  to === 'longtext' ? from === 'text' || plain.has(from) : to === 'text' && plain.has(from)

const held = async (id: string): Promise<Values> => (await send<Resource>('GET', `field/${id}`)).data.attributes

async function put(id: string, attributes: Values, isLossy: boolean): Promise<Values> {
  const body = { data: { type: 'field', id, attributes } }
  return (await send<Resource>('PATCH', `field/${id}${isLossy ? '?convertMode=lossy' : ''}`, body)).data.attributes
}

/** Converts the values of a field. Undefined: it cannot be taken back. @throws ApiError */
export async function convertAct(id: string, attributes: Values, isLossy: boolean): Promise<TakeBack | undefined> {
  const before = await held(id)
  const after = await put(id, attributes, isLossy)
  const mayComeBack = !isLossy && comesBack(String(before['field_type']), String(after['field_type']))
  await refresh()
  return mayComeBack ? typeBack(id, before, after) : undefined
}

/** The type of before, unless the field has got another one since. What others have written meanwhile and does not fit it refuses that. */
const typeBack =
  (id: string, before: Values, after: Values): TakeBack =>
  async () => {
    try {
      if (!same((await held(id))['field_type'], after['field_type'])) return { batches: [], conflicts: 1 }
      const gone = (names: readonly string[]) =>
        Object.fromEntries(names.filter((name) => before[name] && !same(before[name], after[name])).map((name) => [name, before[name]]))
      const now = await put(id, { field_type: before['field_type'], ...gone(settings) }, false)
      const rest = gone(later)
      if (Object.keys(rest).length > 0) await put(id, rest, false)
      return { batches: [], conflicts: 0, again: typeBack(id, after, now) }
    } finally {
      await refresh()
    }
  }
