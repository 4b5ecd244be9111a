import type { Pair } from './bench.ts'
import { lists } from './lists.ts'
import { page, pathOf } from './requests.ts'
import { random } from './seed.ts'
import { ask } from './servers.ts'

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly total: number }
}

/** Both servers asked for the same: how many match in the middle of three. @throws where their answers differ */
export async function sameAnswer(pair: Pair, kind: string): Promise<number> {
  const next = random(7)
  const totals: number[] = []
  for (let i = 0; i < 3; i++) {
    const values = lists[kind]!.values(next, pair.rows)
    const ours = (await ask(pair.ours, pathOf(pair.ours.fields, kind, values, 0))) as Page
    const floor = (await ask(pair.floor, page(pair, kind, values).floor.path)) as Page
    const shown = ({ data, meta }: Page) => `${meta.total}: ${data.map(({ id }) => id).join(' ')}`
    if (shown(ours) !== shown(floor))
      throw new Error(`'${kind}' with ${values.join(', ')}: ${shown(ours)}, but the floor says ${shown(floor)}`)
    totals.push(ours.meta.total)
  }
  return totals.sort((a, b) => a - b)[1]!
}
