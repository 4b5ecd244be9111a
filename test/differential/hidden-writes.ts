import { sql } from '../../src/sql/sql.ts'
import type { Random } from '../support/random.ts'
import type { Positions } from './positions.ts'
import { BESIDE, CANARY, forgetErased, HIDDEN_EVERY, LONG, RECORDS, must, userId, type World } from './worlds.ts'

/*
 * What administrators write between the requests: in the one world something hidden, in the other nothing, or something that uses up as many
 * ids. Then both logs are made equally long by changes of table 6, so that later changes have the same positions in both.
 */

interface Write {
  readonly says: string
  hiding(world: World): Promise<void>
  plain?(world: World): Promise<void>
  /** Records of table 1 whose versions differ from now on: what is known of them as entity tags counts no more. */
  readonly touched?: readonly number[]
}

const visible = (random: Random): number => {
  const n = 1 + random.int(RECORDS - 1)
  return n % HIDDEN_EVERY === 0 ? n + 1 : n
}
/** The first one is in the trash from the beginning. */
const hiddenOne = (random: Random): number => HIDDEN_EVERY * (2 + random.int(RECORDS / HIDDEN_EVERY - 1))

/** A record that was deleted for good, or by somebody in a request, is changed in neither world. */
const changed = async ({ service }: World, type: string, id: number, attributes: object): Promise<void> => {
  const answer = await service.change(type, String(id), attributes)
  if (answer.status !== 404) await must(Promise.resolve(answer))
}

const hiddenField = (random: Random, world: Pick<World, 'names'>): Write => {
  const { seen, hidden } = world.names
  const n = visible(random)
  const name = random.pick(['secret', 'code', 'memo', 'memo', 'file'])
  const value = { file: [{ file_name: `${random.int(3)}.txt`, content: CANARY }], memo: random.percent(75) ? LONG : '' }[name]
  const attributes = { [hidden[name]!]: value ?? `${CANARY} now ${random.int(1e6)}` }
  const beside = random.percent(50) && { [seen['decimal']!]: String(random.int(1e6)) }
  return {
    says: 'a hidden field changes',
    touched: [n],
    hiding: (of) => changed(of, 'data1', n, { ...attributes, ...beside }),
    plain: async (of) => void (beside && (await changed(of, 'data1', n, beside))),
  }
}

const hiddenRecord = (random: Random, world: Pick<World, 'names'>): Write => {
  const { seen, hidden } = world.names
  const n = hiddenOne(random)
  const attributes = {
    [seen['text']!]: `${CANARY} ${random.int(1e6)}`,
    [hidden['secret']!]: CANARY,
    [seen['decimal']!]: String(random.int(100)),
  }
  return { says: 'a hidden record changes', hiding: (of) => changed(of, 'data1', n, attributes) }
}

const forbiddenTable: Write = {
  says: 'a record of a hidden table comes',
  hiding: async ({ service }) => void (await service.make('data3', {})),
}

/** Deletes a record, and its entry of the trash is restored or erased. */
async function toTrash({ service }: World, path: string, then: 'restored' | 'erased'): Promise<void> {
  await must(service.remove(path))
  const entry = (await service.get('trash?sort=-id&page[limit]=1')).json.data[0].id as string
  await must(then === 'restored' ? service.call('POST', `trash/${entry}/restore`) : service.remove(`trash/${entry}`))
}

const restored = (random: Random): Write => {
  const [n, beside] = [hiddenOne(random), 1 + random.int(BESIDE / 2)]
  return {
    says: 'a hidden record is deleted and restored',
    hiding: (of) => toTrash(of, `data1/${n}`, 'restored'),
    plain: (of) => toTrash(of, `data6/${beside}`, 'restored'),
  }
}

const created = (random: Random, world: Pick<World, 'names'>): Write => {
  const { seen, hidden } = world.names
  const attributes = {
    user_id: userId('otto'),
    [seen['text']!]: CANARY,
    [hidden['flag']!]: true,
    [hidden['secret']!]: `${CANARY} ${random.int(9)}`,
  }
  const lasting = random.percent(50)
  const make = async (of: World, then: 'restored' | 'erased') => toTrash(of, `data1/${await of.service.make('data1', attributes)}`, then)
  return {
    says: lasting ? 'a hidden record is created' : 'a hidden record is created and erased',
    hiding: (of) => make(of, lasting ? 'restored' : 'erased'),
    async plain(of) {
      const { user_id, [seen['text']!]: text } = attributes
      await toTrash(of, `data1/${await of.service.make('data1', { user_id, [seen['text']!]: text })}`, 'erased')
      await forgetErased(of.service)
    },
  }
}

/** Every record that holds a value of it is changed. */
const converted = (_: Random, world: Pick<World, 'names'>): Write => {
  const id = world.names.hidden['secret']!.slice(1)
  return {
    says: 'a hidden field gets another type',
    async hiding({ service }) {
      const { field_type } = (await service.get(`field/${id}`)).json.data.attributes
      await must(service.change('field', id, { field_type: field_type === 'text' ? 'longtext' : 'text' }))
    },
    touched: Array.from({ length: 99 }, (_, i) => i + 1),
  }
}

const often = <T>(times: number, one: T): T[] => Array.from({ length: times }, () => one)
const writes: readonly ((random: Random, world: Pick<World, 'names'>) => Write)[] = [
  ...often(16, hiddenField), ...often(16, hiddenRecord), ...often(4, restored), ...often(4, created), ...often(4, () => forbiddenTable), converted,
] // prettier-ignore

/** One of them. The paths of records whose entity tags differ from now on. */
export async function writeHidden(random: Random, positions: Positions, plain: World, hiding: World): Promise<readonly string[]> {
  const { says, touched = [], ...write } = random.pick(writes)(random, plain)
  const [plainBefore, before] = [await newest(plain), await newest(hiding)]
  try {
    await Promise.all([write.plain?.(plain), write.hiding(hiding)])
  } catch (error) {
    throw new Error(`Between the requests: ${says}`, { cause: error })
  }
  const written = await newest(plain)
  await useUpFiles(plain, hiding)
  await makeEven(plain, hiding)
  const after = await newest(hiding)
  // A change that both worlds have is its own counterpart; where the one wrote nothing that is left, it is what was written beside.
  const isShared = plain.service.store.db.dialect.shared && written > plainBefore
  if (after > before) positions.add(isShared ? written : await newest(plain), after)
  return touched.map((n) => `/api/dev/data1/${n}`)
}

/**
 * Lengthens the log that is shorter. Over PostgreSQL, positions depend on the transactions of the whole cluster and never agree: there one
 * change of table 6 is the counterpart of what was hidden.
 */
export async function makeEven(plain: World, hiding: World): Promise<void> {
  if (plain.service.store.db.dialect.shared) return changeBeside(plain)
  const [one, other] = [await newest(plain), await newest(hiding)]
  const behind = one < other ? plain : hiding
  while ((await newest(behind)) < Math.max(one, other)) await changeBeside(behind)
  // The newest one of each is there, and was not erased.
  await Promise.all([changeBeside(plain), changeBeside(hiding)])
}

/** Files have one row of ids, whatever they belong to: those of a hidden file are used up in the other world too. */
async function useUpFiles(plain: World, hiding: World): Promise<void> {
  const { dialect } = hiding.service.store.db
  const [rows] = await hiding.service.store.db.read(dialect.lastId('files')[0]!)
  const used = Number(rows![0]![0])
  if (used > 0)
    await plain.service.store.db.write(async (tx) => void (await Promise.all(dialect.setLastId('files', used).map((one) => tx.run(one)))))
}

const besides = new WeakMap<World, number>()
async function changeBeside(world: World): Promise<void> {
  const count = (besides.get(world) ?? 0) + 1
  besides.set(world, count)
  await must(world.service.change('data6', String(BESIDE), { status: String(count % 2) }))
}

/** The position of the newest change; over SQLite also where it has been erased. */
export async function newest({ service: { store } }: World): Promise<number> {
  const { dialect } = store.db
  const [rows] = await store.db.read(dialect.shared ? sql`SELECT coalesce(max(id), 0) FROM changes` : dialect.lastId('changes')[0]!)
  return Number(rows![0]![0])
}
