import type { Random } from '../support/random.ts'
import type { Sent } from '../fuzz/wire.ts'

/* What clients of the soak ask for, in the shares of an ordinary day. */

export interface Target {
  readonly token: string
  readonly type: string
  readonly table: number
  readonly field: Readonly<Record<'title' | 'amount' | 'since' | 'notes' | 'paper', string>>
  readonly records: number
  /** Ids of records that were made by the mixture, oldest first; they are deleted again. */
  readonly made: string[]
  /** Ids of the newest of them that have a file. */
  readonly withFile: string[]
}

export interface Step {
  readonly kind: string
  /** Statuses of answers, 503 aside. */
  readonly expected: readonly number[]
  readonly request: Sent
}

/** Records that the mixture keeps of its own. */
const KEPT = 500

export function step(random: Random, target: Target): Step {
  const { type, table, field, records, made, withFile } = target
  const of = (kind: string, method: string, path: string, body?: object, expected = [200]): Step => ({
    kind,
    expected,
    request: requestOf(target.token, method, path, body),
  })
  const id = 1 + random.int(records)
  const chance = random.int(100)
  const attributes = {
    [field.title]: `title ${random.int(9_999)}`,
    [field.amount]: String(random.int(9_999)),
    [field.notes]: 'words '.repeat(random.int(60)),
  }
  if (chance < 40) return of('get', 'GET', `${type}/${id}`)
  if (chance < 52) return of('list', 'GET', `${type}?page[offset]=${random.int(records)}`)
  if (chance < 60) return of('sorted list', 'GET', `${type}?sort=-${field.amount}&page[offset]=${random.int(2_000)}`)
  if (chance < 68) return of('filtered list', 'GET', `${type}?filter=and(gt(${field.amount},${random.int(9_999)}),eq(status,0))`)
  if (chance < 70) return of('search', 'GET', `${type}?filter=contains(${field.title},'${random.int(999)}')`)
  if (chance < 84)
    return of('change', 'PATCH', `${type}/${id}`, { type, id: String(id), attributes: { [field.amount]: attributes[field.amount] } })
  // It may have been deleted meanwhile.
  if (chance < 86 && withFile.length > 0)
    return of('file', 'GET', `file/${table}/${field.paper.slice(1)}/${random.pick(withFile)}/a.txt`, undefined, [200, 404])
  if (chance < 93 && made.length > KEPT) return of('delete', 'DELETE', `${type}/${made.shift()}`)
  if (random.percent(80)) return of('create', 'POST', type, { type, attributes }, [201])
  const paper = { [field.paper]: [{ file_name: 'a.txt', content: 'line\n'.repeat(1 + random.int(2_000)) }] }
  return of('create with a file', 'POST', type, { type, attributes: { ...attributes, ...paper } }, [201])
}

export function requestOf(token: string, method: string, path: string, data?: object): Sent {
  const content = data ? Buffer.from(JSON.stringify({ data })) : undefined
  return {
    method,
    target: `/api/dev/${path}`,
    headers: [
      ['Host', '127.0.0.1'],
      ['X-Auth-Token', token],
      ...(content ? [['Content-Type', 'application/vnd.api+json'] as const, ['Content-Length', String(content.length)] as const] : []),
    ],
    body: content,
    content,
    oddlyFramed: false,
    cutShort: false,
  }
}
