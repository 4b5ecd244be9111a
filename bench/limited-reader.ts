import type { Ours } from './servers.ts'

/** The manager whose records the reader sees: 2 % of all. */
export const OWN = 7

/** What the reader may see, as SQL of the floor. */
export const OWN_ROWS = `manager = ${OWN}`

/** Makes a user of a group that sees the records of one manager only. Returns the login. */
export async function makeLimitedReader(ours: Ours): Promise<string> {
  const group = await made(ours, 'group', { group_name: 'One manager' })
  await made(ours, 'access', { group_id: Number(group), table_id: 1, read: true, read_filter: `eq(${ours.fields.manager},${OWN})` })
  await made(ours, 'user', { login: 'limited', fio: 'Limited Reader', group_id: Number(group) })
  return 'limited'
}

async function made({ port, token }: Ours, type: string, attributes: Readonly<Record<string, unknown>>): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/dev/${type}`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type, attributes } }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${type}: ${response.status} ${text}`)
  return (JSON.parse(text) as { data: { id: string } }).data.id
}
