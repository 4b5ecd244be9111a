import { isDeepStrictEqual } from 'node:util'
import { builtIn } from '../../fields/index.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { RecordChange, ResourceState } from '../ground/changes.ts'
import type { Actor, Caller } from '../model/access.ts'

/*
 * Changes of structure, rights and users in the log: rows of the table 0. `record_id` is the id of the resource, `touched` its type, `content`
 * as of records, with the values that the resource has in JSON instead of column contents.
 */

/** A change as it is logged. `row`: of a resource, what the log keeps of it. */
export type LogEntry = RecordChange & { readonly row?: { readonly touched: string; readonly content: string } }

/** Of the states that one actor told of a resource, the first and the last make one change; nothing where they are the same. */
export function toLog(changes: readonly RecordChange[]): readonly LogEntry[] {
  if (!changes.some(({ resource }) => resource)) return changes
  const told = new Map<Actor, Map<string, RecordChange[]>>()
  const whole: (LogEntry | RecordChange[])[] = []
  for (const change of changes) {
    const { resource, recordId, by } = change
    if (!resource) {
      whole.push(change)
      continue
    }
    if (!told.has(by)) told.set(by, new Map())
    const key = `${resource.type} ${recordId}`
    const states = told.get(by)!.get(key)
    if (states) states.push(change)
    else {
      const first = [change]
      told.get(by)!.set(key, first)
      whole.push(first)
    }
  }
  return whole.flatMap((one) => ('act' in one ? [one] : made(one)))
}

function made(told: readonly RecordChange[]): LogEntry[] {
  const [first, last] = [told[0]!, told.at(-1)!]
  const { type, columns: before, partly } = first.resource!
  const after = last.resource!.columns
  const isErased = told.some(({ act }) => act === 'erase')
  const content = isErased ? {} : contentOf(before, after, partly)
  const isSecret = told.some(({ resource }) => resource!.isSecret)
  if (!isErased && !isSecret && Object.keys(content).length === 0) return []
  const act = told.find((one) => one.act !== 'update')?.act ?? (!before ? 'create' : !after ? 'delete' : 'update')
  return [{ ...first, act, row: { touched: type, content: JSON.stringify(content) } }]
}

type Columns = ResourceState['columns']

function contentOf(
  before: Columns,
  after: Columns,
  partly: ResourceState['partly'],
): Readonly<Record<string, readonly [unknown, unknown]>> {
  const names = Object.keys(before ?? after ?? {})
  const all = names.map((column) => [column, [before?.[column] ?? null, after?.[column] ?? null]] as const)
  const changed = all.filter(([, [from, to]]) => (before ? !isDeepStrictEqual(from, to) : !isEmpty(to)))
  const part = (column: string, side: unknown) => (typeof side === 'string' && side !== '' ? (partly[column]?.(side) ?? side) : side)
  return Object.fromEntries(changed.map(([column, [from, to]]) => [column, [part(column, from), part(column, to)]]))
}

/** What a new resource holds without anybody having set it. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  value === builtIn.datetime.empty ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Whether the caller sees these changes: administrators do, by a token that is not limited to some tables. */
export const seesResourceChanges = ({ administrator }: Caller): boolean => administrator

/** The type of the resource; '' for records. */
export const resourceType: Sql = sql`CASE table_id WHEN 0 THEN touched ELSE '' END`
