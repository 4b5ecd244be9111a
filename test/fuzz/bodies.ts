import { gzipSync } from 'node:zlib'
import { mutated, oddKey, oddValue, textOf, treeOf, type Tree } from './odd-json.ts'
import type { Random } from '../support/random.ts'
import { marks } from './targets.ts'
import { BODY_LIMIT, type World } from './world.ts'

/** What a route is about, as far as its path tells. */
export interface Subject {
  readonly method: string
  /** Such as data1, user, token. */
  readonly type: string
  /** The id at the end of the path, if there is one. */
  readonly id: string | undefined
  readonly isSearch: boolean
}

/** A body for a route: a sound document, or one with odd values and members in it, or with odd text. */
export function oddBody(random: Random, world: World, subject: Subject, oddTree: boolean, oddText: boolean): Buffer {
  const text = Buffer.from(textOf(document(random, world, subject, oddTree)))
  return oddText ? disfigured(random, text) : text
}

function document(random: Random, world: World, subject: Subject, odd: boolean): Tree {
  if (odd && random.percent(3)) return oddValue(random)
  const filter = random.pick(['eq(status,0)', '', "contains(f1,'t')", 'eq(', 'use_filter(1)'])
  const isAtomic = subject.type === 'operations'
  let tree = subject.isSearch
    ? treeOf({ meta: { filter } })
    : isAtomic
      ? withAttributes(treeOf({ 'atomic:operations': operations(random) }), attributes(random, world, { ...subject, type: 'data1' }, odd))
      : withAttributes(
          treeOf({ data: { type: subject.type, ...(subject.method === 'PATCH' && { id: subject.id ?? '1' }), attributes: {} } }),
          attributes(random, world, subject, odd),
        )
  if (odd && random.percent(50)) for (let i = 1 + random.int(2); i > 0; i--) tree = mutated(random, tree)
  return tree
}

function operations(random: Random): object[] {
  const ref = { type: 'data1', id: String(1 + random.int(9)) }
  return Array.from({ length: 1 + random.int(3) }, () =>
    random.pick([
      { op: 'add', data: { type: 'data1', lid: 'a', attributes: {} } },
      { op: 'add', href: '/api/dev/data1?upsertBy=f1', data: { type: 'data1', attributes: {} } },
      { op: 'update', data: { ...ref, attributes: {} } },
      {
        op: 'update',
        ref: { ...ref, relationship: `r${1 + random.int(20)}` },
        data: random.pick([null, [ref], { type: 'data1', lid: 'a' }]),
      },
      { op: 'remove', href: `/api/dev/data1/${1 + random.int(9)}/relationships/r${1 + random.int(20)}`, data: [ref] },
      { op: 'remove', ref },
    ]),
  )
}

function withAttributes(tree: Tree, sent: [string, Tree][]): Tree {
  if ('items' in tree) return { ...tree, items: tree.items.map((one) => withAttributes(one, sent)) }
  if (!('members' in tree)) return tree
  return {
    members: tree.members.map(([key, value]) =>
      key === '"attributes"'
        ? [key, { members: sent }]
        : [key, key === '"data"' || key === '"atomic:operations"' ? withAttributes(value, sent) : value],
    ),
  }
}

/** What a POST must bring to be taken. */
const needed: Readonly<Record<string, object>> = {
  table: { table_name: 'T' },
  field: { table_id: 2, field_name: 'F', field_type: 'text' },
  category: { category_name: 'C' },
  filter: { table_id: 1, filter_name: 'F', expression: 'eq(status,0)' },
  group: { group_name: 'G' },
  access: { group_id: 3, table_id: 2 },
  user: { login: 'someone' },
  invitation: { user_id: 3 },
  token: { login: 'nobody', password: 'nothing' },
}

function attributes(random: Random, world: World, { method, type }: Subject, odd: boolean): [string, Tree][] {
  const names = world.attributes[type] ?? world.fields
  const given = method === 'POST' && !random.percent(5) ? { ...needed[type], ...(type === 'data1' && { f1: 'text' }) } : {}
  const archives = type === 'data1' && random.percent(40) ? { status: '1' } : {}
  const count = odd ? 1 + random.int(3) : 0
  return [
    ...(treeOf({ ...given, ...archives }) as { members: [string, Tree][] }).members,
    ...Array.from({ length: count }, (): [string, Tree] => [
      random.percent(90) && names.length > 0 ? JSON.stringify(random.pick(names)) : oddKey(random),
      oddValue(random),
    ]),
  ]
}

/** What is no JSON any more, or none that a body may hold. */
function disfigured(random: Random, text: Buffer): Buffer {
  const at = random.int(text.length + 1)
  const inserted = (what: Buffer | string) => Buffer.concat([text.subarray(0, at), Buffer.from(what), text.subarray(at)])
  switch (random.int(20)) {
    case 0:
      return text.subarray(0, at)
    case 1:
      return inserted(random.bytes(1 + random.int(4)))
    case 2:
      return inserted(random.pick(['\u0000', '\n', ' ', '\u2028', '\\', '"', ',', '}', '/* */', '//', 'NaN', "'", '\ufeff', 'e']))
    case 3:
      return Buffer.concat([Buffer.from('\ufeff'), text])
    case 4:
      return Buffer.from(text.toString(), 'utf16le')
    case 5:
      return gzipSync(text)
    case 6:
      return Buffer.concat([text, text])
    case 7:
      return random.bytes(random.int(200))
    case 8:
      return Buffer.alloc(0)
    case 9:
      return Buffer.from(
        random.pick(['null', '[]', '{}', '""', '1', 'true', 'data=1&x=2', '<a/>', '{"data":null}', '{"data":[]}', '{"errors":[]}']),
      )
    case 10:
      return Buffer.alloc(BODY_LIMIT - 1 + random.int(3), ' ')
    case 11:
      return Buffer.concat([text, Buffer.alloc(BODY_LIMIT + random.int(10_000), ' ')])
    case 12:
      return Buffer.from('['.repeat(1 + random.int(BODY_LIMIT)))
    case 13:
      return Buffer.from(`{"data":[${Array.from({ length: random.int(BODY_LIMIT / 3) }, () => '{}').join(',')}]}`)
    case 14:
      return Buffer.from(`{"data":{"attributes":${'{"a":'.repeat(random.int(9_000))}1${'}'.repeat(random.int(9_000))}}}`)
    case 15:
      return Buffer.from(`{"data":{"attributes":{${Array.from({ length: random.int(5_000) }, (_, n) => `"f${n}":${n % 9}`).join(',')}}}}`)
    case 16:
      return Buffer.from(
        text.toString('latin1').replace(/[0-9]/, () => `0.${'0'.repeat(random.int(70_000))}1`),
        'latin1',
      )
    case 17:
      return Buffer.from(text.toString().replace(/"[^"]*"(?=[,}])/, () => JSON.stringify(marks(random))))
    case 18:
      return Buffer.from(text.toString().replace(/"[^"]*"(?=[,}])/, () => `"${'\\ud83d\\ude00'.repeat(random.int(6_000))}"`))
    default:
      return Buffer.from(
        text.toString('latin1').replace(/[0-9]/, (digit) => digit.repeat(1 + random.int(1_000))),
        'latin1',
      )
  }
}
