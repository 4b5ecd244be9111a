import type { Column } from './seed.ts'
import { ask, type Ours } from './servers.ts'

/** Has an index made and waits until it is there; its bytes. */
export async function makeIndex(ours: Ours, kind: string, column: Column): Promise<number> {
  const attributes = { table_id: 1, attribute: ours.fields[column], kind }
  await fetch(`http://127.0.0.1:${ours.port}/api/dev/index`, {
    method: 'POST',
    headers: { 'x-auth-token': ours.token, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'index', attributes } }),
  })
  for (;;) {
    const path = `/api/dev/index?filter=and(eq(attribute,'${attributes.attribute}'),eq(kind,'${kind}'))`
    const { data } = (await ask(ours, path)) as { data: { attributes: { state: string; size: number } }[] }
    if (data[0]!.attributes.state === 'ready') return data[0]!.attributes.size
    await new Promise((next) => setTimeout(next, 100))
  }
}
