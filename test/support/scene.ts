import assert from 'node:assert/strict'
import { errorsOf, type Answer, type Service } from './service.ts'

/* What the suites of the contract share. All of it goes through HTTP, as a client would. */

/** A user-defined table as its clients know it. */
export interface Table {
  readonly id: number
  /** data<table_id> */
  readonly type: string
  /** /api/dev/data<table_id> */
  readonly path: string
  /** f<field_id> by the name the field was given. */
  readonly f: Readonly<Record<string, string>>
}

type Wish = string | Readonly<Record<string, unknown>>

/** Makes a table; each field is the name of its type, or the attributes it is made with. */
export async function makeTable<Names extends string>(
  service: Service,
  name: string,
  fields: Readonly<Record<Names, Wish>>,
): Promise<Table & { readonly f: Readonly<Record<Names, string>> }> {
  const id = Number(await service.make('table', { table_name: name }))
  const f: Record<string, string> = {}
  for (const [field_name, of] of Object.entries<Wish>(fields)) {
    const attributes = typeof of === 'string' ? { field_type: of } : of
    f[field_name] = `f${await service.make('field', { table_id: id, field_name, ...attributes })}`
  }
  return { id, type: `data${id}`, path: `/api/dev/data${id}`, f: f as Record<Names, string> }
}

/** The whole body, character for character: so the order of members and attributes counts too. */
export function body(answer: Answer, status: number, document: unknown): void {
  assert.equal(answer.text, JSON.stringify(document))
  assert.equal(answer.status, status)
}

/** The errors of an answer in short, `422 field.required /data/attributes/f7`; the status of the answer is that of the first. */
export function refused(answer: Answer, ...errors: readonly string[]): void {
  assert.ok(answer.json?.errors, `${answer.status} ${answer.text}`)
  assert.deepEqual(errorsOf(answer), errors)
  assert.equal(String(answer.status), answer.json.errors[0].status)
}

/** The ids of a list in its order. */
export const idsOf = ({ status, text, json }: Answer): string[] => {
  assert.equal(status, 200, text)
  return json.data.map(({ id }: { id: string }) => id)
}

/** A user of a group with their token; both made through HTTP. */
export async function person(service: Service, group_id: number, login: string): Promise<{ id: string; token: string }> {
  const password = `${login} ${login} ${login}`
  const id = await service.make('user', { fio: login, login, password, group_id })
  return { id, token: await service.signIn(login, password) }
}

/** The twelve rights, in the order of the contract. */
export const RIGHTS = [
  'create',
  'read',
  'update',
  'delete',
  'archive',
  'bed',
  'print',
  'sms',
  'send',
  'free_sms_template',
  'free_mail_template',
  'standart_template',
] as const
