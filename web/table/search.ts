/** What the address of a table says besides the table. */
export interface TableSearch {
  /** In the language of filters. */
  readonly filter?: string | undefined
  /** Attributes, separated by commas; with `-` before it the last comes first. */
  readonly sort?: string | undefined
  /** Words that are searched for in all fields. */
  readonly q?: string | undefined
  /** The saved view, whose parts are in the address too. */
  readonly view?: number | undefined
  /** How the records are shown (views/kinds.ts); a grid without it. */
  readonly kind?: string | undefined
  /** An attribute, or a date with its period, by which a board, calendar or chart groups. */
  readonly group?: string | undefined
  /** What a chart shows: `count`, or `sum` or `avg` with an attribute, as `sum:f3`. */
  readonly figure?: string | undefined
  /** Of a calendar; a month without it. */
  readonly span?: 'week' | undefined
  /** A day of the month or week that a calendar shows; today without it. */
  readonly day?: string | undefined
  /** On a phone. From 2: the first page is not named. */
  readonly page?: number | undefined
  /** Which fields are columns, their order and widths (grid/columns.ts). */
  readonly columns?: string | undefined
  /** The record that is open beside the list. */
  readonly record?: number | undefined
}

/** A member that is left out would keep what the address says. */
export const readSearch = ({
  filter,
  sort,
  q,
  page,
  columns,
  view,
  kind,
  group,
  figure,
  span,
  day,
  record,
}: Record<string, unknown>): TableSearch => ({
  filter: textOf(filter),
  sort: textOf(sort),
  q: textOf(q),
  page: Number.isSafeInteger(page) && Number(page) > 1 ? Number(page) : undefined,
  columns: textOf(columns),
  view: Number.isSafeInteger(view) ? Number(view) : undefined,
  kind: textOf(kind),
  group: textOf(group),
  figure: textOf(figure),
  span: span === 'week' ? 'week' : undefined,
  day: typeof day === 'string' && isDay(day) ? day : undefined,
  record: Number.isSafeInteger(record) && Number(record) > 0 ? Number(record) : undefined,
})

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00Z`))

/** A filter or an order that looks like a number or like JSON has been read as that. */
const textOf = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
