import { join } from 'node:path'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { issueToken } from '../../src/store/people/tokens.ts'
import { fieldTypes } from '../../src/fields/index.ts'
import { startService, type Service } from '../support/service.ts'
import { workInMemory } from '../support/in-memory.ts'
import { witness } from './dump.ts'

/** Bytes of a body. */
export const BODY_LIMIT = 80_000

/** A small installation with one of everything, and what a client could know of it. */
export interface World {
  readonly port: number
  readonly witness: ReturnType<typeof witness>
  /** By whom they are held. */
  readonly tokens: Readonly<Record<string, string>>
  /** By resource type, the attributes that responses show or requests take. */
  readonly attributes: Readonly<Record<string, readonly string[]>>
  /** Names of the fields of the table that has one of every type. */
  readonly fields: readonly string[]
  /** Those of them that hold files, as paths name them. */
  readonly fileFields: readonly string[]
  /** What was logged since this was last asked, but for what is for information only. */
  takeLogged(): unknown[]
  /** What the database lacks; nothing, hopefully. */
  findings(): Promise<string[]>
  close(): Promise<void>
}

/** What only requests have. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  user: ['password', 'old_password'],
  token: ['login', 'password', 'lifetime', 'token'],
  invitation: ['lifetime', 'code', 'password'],
}

/** What another process can be told of it. */
export type Told = Pick<World, 'port' | 'tokens' | 'attributes' | 'fields' | 'fileFields'> & { readonly directory: string }

export async function makeService(): Promise<{ service: Service; told: Told }> {
  workInMemory()
  const service = await startService({ bodyLimit: BODY_LIMIT })
  const fields = await fill(service)
  const tokens = await issueTokens(service)
  const fileFields = fields.filter((_, i) => fieldTypes[i]!.files)
  const { directory, url } = service
  return {
    service,
    told: { port: Number(new URL(url).port), tokens, attributes: await attributesOf(service), fields, fileFields, directory },
  }
}

export const openWitness = ({ directory }: Told): World['witness'] => witness(join(directory, 'kartoteka.sqlite'))

/** In this very process. */
export async function makeWorld(): Promise<World> {
  const { service, told } = await makeService()
  const seen = openWitness(told)
  return {
    ...told,
    witness: seen,
    takeLogged: () => faultsIn(service),
    findings: () => findingsOf(service),
    async close() {
      seen.close()
      await service.close()
    },
  }
}

/** What is logged besides what is for information, and the one warning of a proxy that no setting names. */
export const faultsIn = ({ logged }: Service): unknown[] =>
  logged.splice(0).filter(({ level, details }) => level !== 'info' && details['setting'] !== 'KARTOTEKA_TRUSTED_PROXIES')

export async function findingsOf({ store }: Service): Promise<string[]> {
  const found: string[] = []
  for await (const finding of checkIntegrity(store)) found.push(finding)
  return found
}

async function fill({ make, remove, call }: Service): Promise<string[]> {
  for (const n of [1, 2, 3, 4]) await make('category', { category_name: `Category ${n}` })
  await make('table', { table_name: 'Everything', category_id: 1 })
  await make('table', { table_name: 'Companies' })
  await make('table', { table_name: 'Deleted' })
  await make('table', { table_name: 'Expendable' })
  await make('data2', {})
  await make('data2', {})
  const fields: string[] = []
  for (const { name, settings } of fieldTypes) {
    const id = await make('field', {
      table_id: 1,
      field_name: name,
      field_type: name,
      ...(settings.includes('options') && { options: ['A', 'B', 'Ж'] }),
      ...(settings.includes('referenceTableId') && { reference_table_id: 2 }),
      unique: name === 'email',
      required: name === 'text',
    })
    fields.push(`f${id}`)
  }
  const gone = await make('field', { table_id: 1, field_name: 'Gone', field_type: 'text' })
  const of = (type: string) => fields[fieldTypes.findIndex(({ name }) => name === type)]!
  for (const n of [4, 5, 6]) await make('group', { group_name: `Group ${n}` })
  for (const login of ['manager', 'client', 'limited', 'invited', 'more']) await make('user', { login, group_id: groups[login] ?? 3 })
  for (const n of [1, 2, 3, 4, 5]) {
    await make('data1', {
      ...(n !== 3 && n !== 5 && { user_id: 4 }),
      [of('text')]: `text ${n}`,
      [of('email')]: `someone${n}@example.org`,
      [of('reference')]: '1',
      [of('file')]: [{ file_name: 'a.txt', content: 'text' }],
    })
  }
  for (const path of ['data1/3', `field/${gone}`, 'table/3']) await remove(path)
  for (const n of [1, 2, 3]) await make('filter', { table_id: 1, filter_name: `Saved ${n}`, expression: 'eq(status,0)' })
  const all = { create: true, read: true, update: true, delete: true, archive: true, bed: true }
  for (const table_id of [1, 2]) await make('access', { group_id: 2, table_id, ...all })
  const limits = { read_filter: 'eq(user_id,current_user)', write_filter: 'eq(status,0)', fields: { 1: 'read_only', 2: 'hidden' } }
  await make('access', { group_id: 4, table_id: 1, ...all, ...limits })
  await call('POST', 'invitation', { data: { type: 'invitation', attributes: { user_id: 5 } } })
  return fields
}

const groups: Readonly<Record<string, number>> = { manager: 2, limited: 4 }

async function issueTokens({ store, token }: Service): Promise<Record<string, string>> {
  const issue = async (wish: Parameters<typeof issueToken>[2]) => (await issueToken(store, operator, wish)).token
  return {
    administrator: token,
    manager: await issue({ login: 'manager' }),
    client: await issue({ login: 'client' }),
    limited: await issue({ login: 'limited' }),
    reader: await issue({ login: 'admin', scope: 'read' }),
    narrow: await issue({ login: 'admin', tables: [2] }),
    other: await issue({ login: 'admin' }),
  }
}

async function attributesOf({ get }: Service): Promise<Record<string, readonly string[]>> {
  const { describedby: _, ...links } = (await get('')).json.links as Record<string, string>
  const attributes: Record<string, readonly string[]> = {}
  for (const [type, path] of Object.entries(links)) {
    const { data } = (await get(`${path.replace('/api/dev/', '')}?page[limit]=1`)).json
    attributes[type] = [...Object.keys(data[0]?.attributes ?? {}), ...(unseen[type] ?? [])]
  }
  return attributes
}
