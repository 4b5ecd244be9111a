import { operator } from '../../src/store/catalogue/administrator.ts'
import { constant, sql, type Sql } from '../../src/sql/sql.ts'
import { createJob } from '../../src/store/jobs/jobs.ts'
import { actions } from '../../src/store/changes/codes.ts'
import { issueToken } from '../../src/store/people/tokens.ts'
import { startService, type Service } from '../support/service.ts'
import { workInMemory } from '../support/in-memory.ts'

/*
 * Two installations that somebody with few rights cannot tell apart. Both are made with the same requests, so every id, number
 * and time is the same; then what shall be hidden is deleted in both, and in the `hiding` one restored (it is hidden by rights
 * from then on), in the `plain` one erased for good. Entries of the trash are counted alike that way.
 */

export type Kind = 'plain' | 'hiding'

export interface World {
  readonly kind: Kind
  readonly service: Service
  readonly port: number
  /** By caller. */
  readonly tokens: Readonly<Record<string, string>>
  readonly names: Names
}

/** What both worlds have in common, as requests name it. */
export interface Names {
  /** Visible fields of table 1 by type, and the hidden ones. */
  readonly seen: Readonly<Record<string, string>>
  readonly hidden: Readonly<Record<string, string>>
  /** Bodies that were sent with an Idempotency-Key before the rights were made narrower. */
  readonly kept: { readonly key: string; readonly body: string }
  /** An entry of the trash that only one world has, of a record that everybody could read and somebody else deleted. */
  readonly deletedByOthers: number
}

/** What must succeed. */
export async function must(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(`${status} ${text}`)
}

/** Stands in every hidden value; no answer may hold it. Who guesses it writes it otherwise, which filters take for the same. */
export const CANARY = 'canary'
export const GUESS = 'CANARY'
export const PASSWORD = 'correct horse battery'
/*
 * Table 1 has the records; 2 is referred to; 3 nobody has a right on; 4 was deleted; of 5 the title field is hidden; 6 is there in
 * both, without a right: a change in one world has its counterpart there (hidden-writes.ts).
 */
/** Records of table 1 at the beginning, and every which one is hidden. */
export const RECORDS = 45
export const HIDDEN_EVERY = 3
export const LONG = CANARY.repeat(6_000)
/** Records of table 6. */
export const BESIDE = 30

const all = { create: true, read: true, update: true, delete: true, archive: true }
const reading = { ...all, create: false, update: false, delete: false, archive: false }
const nothing = { ...reading, read: false }
/** Groups. Mila and rita hold tokens that leave them no more than their groups do in the plain world. */
const people = { mona: 2, anna: 3, bert: 3, lena: 4, nora: 5, otto: 6, mila: 7, rita: 8 } as const
/** Ids: the first administrator is 1. */
export const userId = (login: keyof typeof people): number => 2 + Object.keys(people).indexOf(login)

export async function makeWorld(kind: Kind): Promise<World> {
  workInMemory()
  const service = await startService({ publicUrl: 'https://crm.example.com', bodyLimit: 100_000 })
  try {
    const made = await fill(service)
    const names = { ...made, deletedByOthers: await part(service, kind, made) }
    const tokens = await issueTokens(service)
    // Last, since people stay: whoever signs in as this one is unknown in the other world.
    if (kind === 'hiding') await service.make('user', { login: 'ghost', fio: CANARY, e_mail: 'ghost@example.org', group_id: 6 })
    return { kind, service, port: Number(new URL(service.url).port), tokens, names }
  } catch (error) {
    await service.close()
    throw error
  }
}

type Made = Omit<Names, 'deletedByOthers'>

async function fill(service: Service): Promise<Made> {
  const { make, store } = service
  for (const group_name of ['Limited', 'Nothing', 'Owners', 'Narrowed', 'Reading']) await make('group', { group_name })
  for (const [login, group_id] of Object.entries(people))
    await make('user', { login, group_id, ...(login === 'anna' && { password: PASSWORD }) })
  for (const table_name of ['Records', 'Targets', `Forbidden ${CANARY}`, 'Deleted', 'Untitled', 'Beside'])
    await make('table', { table_name })
  await make('category', { category_name: 'Category' })
  const field = async (table_id: number, field_name: string, field_type: string, more: object = {}) =>
    `f${await make('field', { table_id, field_name, field_type, ...more })}`
  const seen = {
    text: await field(1, 'Title', 'text', { required: true }),
    decimal: await field(1, 'Amount', 'decimal'),
    email: await field(1, 'Mail', 'email', { unique: true }),
    list: await field(1, 'State', 'list', { options: ['new', 'old', 'Жук'] }),
    multilist: await field(1, 'Tags', 'multilist', { options: ['a', 'b'] }),
    datetime: await field(1, 'When', 'datetime'),
    reference: await field(1, 'Target', 'reference', { reference_table_id: 2 }),
    file: await field(1, 'File', 'file'),
    target: await field(2, 'Name', 'text'),
  }
  const hidden = {
    secret: await field(1, `Secret ${CANARY}`, 'text', { default_value: `${CANARY} default` }),
    flag: await field(1, `Flag ${CANARY}`, 'boolean'),
    code: await field(1, `Code ${CANARY}`, 'text', { unique: true }),
    kind: await field(1, `Kind ${CANARY}`, 'list', { options: [`${CANARY} option`] }),
    file: await field(1, `Paper ${CANARY}`, 'file'),
    target: await field(2, `Hidden name ${CANARY}`, 'text'),
    title: await field(5, `Title ${CANARY}`, 'text'),
    memo: await field(1, `Memo ${CANARY}`, 'longtext'),
  }
  for (const table_id of [1, 2]) for (const group_id of [2, 3, 4, 7, 8]) await make('access', { group_id, table_id, ...all })
  for (const group_id of [2, 3, 4]) await make('access', { group_id, table_id: 5, ...all })
  const { token } = await issueToken(store, operator, { login: 'lena' })
  await fillTables(service, seen, hidden)
  const kept = { key: 'kept', body: JSON.stringify({ data: { type: 'data1', attributes: { [seen.text]: 'kept' } } }) }
  const first = await service.send('POST', '/api/dev/data1', {
    body: kept.body,
    token,
    headers: { 'Idempotency-Key': kept.key },
  })
  if (first.status !== 201) throw new Error(first.text)
  return { seen, hidden, kept }
}

type Fields = Readonly<Record<string, string>>

async function fillTables({ make }: Service, seen: Fields, hidden: Fields): Promise<void> {
  for (let n = 1; n <= 12; n++) {
    await make('data2', {
      [seen['target']!]: `target ${n}`,
      [hidden['target']!]: `${CANARY} ${n}`,
      user_id: n % 4 === 0 ? userId('otto') : userId('lena'),
    })
  }
  const owners = ['anna', 'bert', 'lena', 'mona'] as const
  for (let n = 1; n <= RECORDS; n++) {
    const isHidden = n % HIDDEN_EVERY === 0
    await make('data1', {
      user_id: userId(isHidden ? 'otto' : owners[n % 4]!),
      [seen['text']!]: isHidden ? `${CANARY} text ${n}` : `text ${n % 7}`,
      [seen['decimal']!]: `${n % 5}.5`,
      [seen['email']!]: isHidden ? `hidden${n}@example.org` : `seen${n}@example.org`,
      [seen['list']!]: ['new', 'old', 'Жук', ''][n % 4]!,
      [seen['datetime']!]: `2024-0${1 + (n % 9)}-01 10:00:00`,
      [seen['reference']!]: String(1 + (n % 12)),
      [seen['file']!]: [{ file_name: 'a.txt', content: isHidden ? CANARY : `content ${n}` }],
      [hidden['secret']!]: `${CANARY} ${n % 3}`,
      [hidden['flag']!]: isHidden,
      [hidden['code']!]: `${CANARY} code ${n}`,
      [hidden['kind']!]: `${CANARY} option`,
      [hidden['file']!]: [{ file_name: 'paper.txt', content: CANARY }],
      // Longer than a list of changes shows (limits.changeInList).
      [hidden['memo']!]: n % 8 === 5 ? LONG : '',
    })
  }
  await make('data3', {})
  for (let n = 1; n <= BESIDE; n++) await make('data6', {})
  for (let n = 1; n <= 6; n++) await make('data5', { user_id: userId('lena'), [hidden['title']!]: `${CANARY} title ${n}` })
  await make('filter', { table_id: 1, filter_name: 'Shared', expression: 'eq(status,0)' })
  await make('filter', { table_id: 1, filter_name: CANARY, expression: `eq(${hidden['flag']},1)` })
  await make('filter', { table_id: 3, filter_name: CANARY, expression: 'eq(status,0)' })
  await make('filter', { table_id: 1, filter_name: CANARY, expression: 'eq(status,1)', user_id: userId('otto') })
  await makeViews(make, seen, hidden)
}

const columnsOf = (...names: (string | undefined)[]) => names.map((attribute) => ({ attribute }))

/** One that everybody sees, with attributes that are hidden later, and those that others must not see. */
async function makeViews(make: Service['make'], seen: Fields, hidden: Fields): Promise<void> {
  const columns = columnsOf(seen['text'], hidden['secret'], seen['list'], hidden['kind'])
  const sort = `-${seen['text']},${hidden['code']}`
  await make('view', { table_id: 1, view_name: 'Shared', filter: 'eq(status,0)', columns, sort, group_by: hidden['kind'] })
  await make('view', { table_id: 1, view_name: CANARY, filter: `eq(${hidden['flag']},1)` })
  await make('view', { table_id: 3, view_name: CANARY })
  await make('view', { table_id: 1, view_name: CANARY, user_id: userId('otto') })
}

/** Deletes what shall be hidden, and restores it or erases it. */
async function part(service: Service, kind: Kind, names: Made): Promise<number> {
  const { call, change, get, make, remove, store } = service
  const { seen, hidden } = names
  const lena = (await issueToken(store, operator, { login: 'lena' })).token
  // Changes of hidden fields alone, and with others.
  await must(change('data1', '4', { [hidden['secret']!]: CANARY }))
  await must(change('data1', '4', { [hidden['memo']!]: LONG, [hidden['kind']!]: '' }))
  await must(change('data1', '7', { [hidden['memo']!]: LONG, [seen['decimal']!]: '7.5' }))
  // A record under a title that is hidden later, deleted by somebody who may see it today.
  await must(change('table', '2', { title_field_id: idIn(hidden['target']!) }))
  await must(remove('data2/1', lena))
  await must(change('table', '2', { title_field_id: idIn(seen['target']!) }))
  // A record that her read filter hides later, and one whose hidden unique value a hidden record takes meanwhile.
  await must(remove('data1/3', lena))
  // Who wrote a batch sees it, also where its records are hidden: as if it were so long ago that the log does not have it.
  await forget(service, sql`table_id = 1 AND record_id = 3 AND user_id = ${userId('lena')}`)
  await must(remove('data1/2', lena))
  await make('data1', {
    user_id: userId('otto'),
    [seen['text']!]: CANARY,
    [hidden['flag']!]: true,
    [hidden['code']!]: `${CANARY} code 2`,
  })
  if (kind === 'plain') await must(remove('trash/2'))

  const records = Array.from({ length: RECORDS / HIDDEN_EVERY }, (_, i) => `data1/${(i + 1) * HIDDEN_EVERY}`).slice(1)
  records.push(`data1/${RECORDS + 2}`)
  const targets = ['data2/4', 'data2/8', 'data2/12']
  const fields = Object.values(hidden).map((name) => `field/${idIn(name)}`)
  // Filters are not kept in a trash: in the plain world they are gone, and no later one takes their ids.
  if (kind === 'plain') {
    for (const id of ['2', '3', '4']) await must(remove(`filter/${id}`))
    for (const id of ['2', '3', '4']) await must(remove(`view/${id}`))
    await must(change('view', '1', { columns: columnsOf(seen['text'], seen['list']), sort: `-${seen['text']}`, group_by: '' }))
  }
  const newest = async () => (await get('trash?sort=-id&page[limit]=1')).json.data[0].id as string
  for (const path of [...records, ...targets, ...fields, 'table/3']) {
    await must(remove(path))
    const entry = await newest()
    await must(kind === 'hiding' ? call('POST', `trash/${entry}/restore`) : remove(`trash/${entry}`))
  }
  // A job of somebody else.
  const ofOthers = { kind: 'bulk', tableId: 1, input: { tableId: 1, action: 'delete', filter: 'eq(id,0)', values: {} } }
  if (kind === 'hiding') await createJob(store, operator, ofOthers)
  await must(remove('table/4'))
  await must(remove(`data2/${await make('data2', { user_id: userId('lena'), [seen['target']!]: CANARY })}`))
  const deletedByOthers = await newest()
  if (kind === 'plain') await must(remove(`trash/${deletedByOthers}`))
  // The log tells of a record that somebody else deleted: as if that were so long ago that it does not.
  else {
    // Two statements: Citus would look for the log on a worker.
    const [rows] = await store.db.read(sql`SELECT item_id FROM trash WHERE id = ${Number(deletedByOthers)}`)
    await forget(service, sql`table_id = 2 AND record_id = ${Number(rows![0]![0])}`)
  }
  if (kind === 'plain') await forgetErased(service)
  await makeNarrower(service, kind, names)
  return Number(deletedByOthers)
}

/** The log says of what was erased that it was: here it never was. */
export const forgetErased = (service: Service): Promise<void> => forget(service, sql`action = ${constant(actions.erase)}`)

const forget = ({ store }: Service, which: Sql): Promise<void> =>
  store.db.write(async (tx) => void (await tx.run(sql`DELETE FROM changes WHERE ${which}`)))

/** The rights of the groups. What hides nothing in the plain world is left out there: the fields are gone. */
async function makeNarrower({ change, get }: Service, kind: Kind, { seen, hidden: { target, title, ...others } }: Made): Promise<void> {
  const owner = userId('otto')
  const hide = (...names: string[]) => (kind === 'plain' ? {} : { fields: Object.fromEntries(names.map((name) => [idIn(name), 'hidden'])) })
  const ofTable = { 1: hide(...Object.values(others)), 2: hide(target!), 5: hide(title!) }
  // Some groups by what they see, not by what they do not.
  const { target: _, ...ofRecords } = seen
  const writable = Object.fromEntries([...Object.values(ofRecords), 'status'].map((name) => [name, 'writable']))
  const allowed =
    kind === 'plain' ? {} : { fields: { allow: { ...writable, user_id: 'read_only', add_time: 'read_only', update_time: 'read_only' } } }
  const notOwner = { read_filter: `ne(user_id,${owner})`, write_filter: '' }
  const rules = [
    { group: 2, table: 1, read_filter: `ne(user_id,${owner})`, write_filter: `not(eq(user_id,${owner}))` },
    { group: 3, table: 1, read_filter: 'eq(user_id,current_user)', write_filter: 'eq(status,0)' },
    { group: 4, table: 1, read_filter: kind === 'plain' ? '' : `eq(${others['flag']},0)`, write_filter: "not(starts_with(id,'7'))" },
    ...[2, 3, 4, 7].map((group) => ({ group, table: 2, ...notOwner })),
    ...[2, 3, 4].map((group) => ({ group, table: 5 })),
    { group: 7, table: 1, ...notOwner, ...(kind === 'plain' && nothing) },
    ...[1, 2].map((table) => ({ group: 8, table, ...notOwner, ...(kind === 'plain' && reading) })),
  ]
  const rows = (await get('access?page[limit]=50')).json.data as { id: string; attributes: { group_id: number; table_id: number } }[]
  for (const { group, table, ...rule } of rules) {
    const row = rows.find(({ attributes }) => attributes.group_id === group && attributes.table_id === table)!
    const fields = table === 1 && (group === 2 || group === 8) ? allowed : ofTable[table as keyof typeof ofTable]
    await must(change('access', row.id, { ...rule, ...fields }))
  }
}

const idIn = (name: string): number => Number(name.slice(1))

async function issueTokens({ store }: Service): Promise<Record<string, string>> {
  const issue = async (wish: Parameters<typeof issueToken>[2]) => (await issueToken(store, operator, wish)).token
  return {
    anna: await issue({ login: 'anna' }),
    lena: await issue({ login: 'lena' }),
    mona: await issue({ login: 'mona' }),
    nora: await issue({ login: 'nora' }),
    reader: await issue({ login: 'lena', scope: 'read' }),
    narrow: await issue({ login: 'mona', tables: [2] }),
    narrowed: await issue({ login: 'mila', tables: [2] }),
    reading: await issue({ login: 'rita', scope: 'read' }),
    narrowReader: await issue({ login: 'lena', tables: [1], scope: 'read' }),
    stranger: 'x'.repeat(48),
  }
}
