import { query, send, type Resource } from './client.ts'

/* Records and people by what they are called: some hundred names in one request. */

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The function of a filter that finds these values; none without a value. */
const oneOf = (attribute: string, values: readonly string[]): readonly string[] =>
  values.length === 0 ? [] : [`in(${[attribute, ...values.map(quoted)].join()})`]

/** Resources of an answer. */
const PAGE = 1000
/** Names of one request. */
const AT_ONCE = 500

/** Those of a list in requests of so many; where an answer has not room for all that are called so, it is asked in halves. */
async function inParts<One>(
  all: readonly One[],
  most: number,
  ask: (some: readonly One[]) => Promise<Answer>,
): Promise<readonly Resource[]> {
  const found: Resource[] = []
  const parts = Array.from({ length: Math.ceil(all.length / most) }, (_, i) => all.slice(i * most, (i + 1) * most))
  for (let some = parts.shift(); some; some = parts.shift()) {
    const { data, links } = await ask(some)
    if (links?.['next'] && some.length > 1) parts.unshift(some.slice(0, some.length >> 1), some.slice(some.length >> 1))
    else found.push(...data)
  }
  return found
}

interface Answer {
  readonly data: readonly Resource[]
  readonly links?: Readonly<Record<string, string | null>>
}

export interface Sought {
  readonly name: string
  /** What it would be as a title; undefined: it cannot be one. */
  readonly title: string | undefined
  /** What it would be as an id. */
  readonly id: string | undefined
}

/** The records that have one of the titles or ids, each with its title. `attribute`: that has the titles; undefined: by ids alone. @throws ApiError */
export function recordsCalled(table: number, attribute: string | undefined, sought: readonly Sought[]): Promise<readonly Resource[]> {
  const fields = { 'page[size]': PAGE, [`fields[data${table}]`]: attribute }
  return inParts(sought, AT_ONCE, (some) => {
    const titles = attribute === undefined ? [] : oneOf(attribute, some.flatMap(({ title }) => title ?? [])) // prettier-ignore
    const parts = [...titles, ...oneOf('id', some.flatMap(({ id }) => id ?? []))] // prettier-ignore
    if (parts.length === 0) return Promise.resolve({ data: [] })
    const filter = parts.length > 1 ? `or(${parts.join()})` : parts[0]
    return send<readonly Resource[]>('POST', `data${table}/search?${query(fields)}`, { meta: { filter } })
  })
}

/** Characters of names in the address of one request, which a browser writes as up to nine each. */
const IN_ADDRESS = 2000
const MOST_PEOPLE = 40

/** The users who have one of the names, addresses, logins or ids; or the groups. @throws ApiError */
export function peopleCalled(of: 'user' | 'group', sought: readonly Sought[]): Promise<readonly Resource[]> {
  const attributes = of === 'user' ? ['fio', 'e_mail', 'login'] : ['group_name']
  const longest = Math.max(1, ...sought.map(({ name }) => name.length))
  const most = Math.max(1, Math.min(MOST_PEOPLE, Math.floor(IN_ADDRESS / longest / attributes.length)))
  return inParts(sought, most, (some) => {
    const titles = some.flatMap(({ title }) => title ?? [])
    const parts = [...attributes.flatMap((one) => oneOf(one, titles)), ...oneOf('id', some.flatMap(({ id }) => id ?? []))] // prettier-ignore
    if (parts.length === 0) return Promise.resolve({ data: [] })
    const filter = parts.length > 1 ? `or(${parts.join()})` : parts[0]
    return send<readonly Resource[]>('GET', `${of}?${query({ filter, 'page[size]': PAGE })}`)
  })
}
