/*
 * What a person has typed and the service has not saved yet, kept in this browser: a reload, a lost connection or a session that ends does not lose
 * it. By person: nobody else is given it. It goes when they sign out, or after a week.
 */

const PREFIX = 'kartoteka.kept'
/** Whose things were kept last: while the service cannot be asked who is signed in, they are shown, and not sent. */
const LAST = 'kartoteka.person'
/** Milliseconds. */
const LONGEST = 7 * 86_400_000

/** `write`: on its way to the service; `batch`: several at once, and `tried`: whether it was sent; `typed`: in an editor that is open; `new`: a record that is not there yet. */
export type Kind = 'write' | 'batch' | 'tried' | 'typed' | 'new'

let person: string | undefined

/** Whose things are kept from now on; undefined: nobody's. */
export function keepFor(id: string | undefined): void {
  person = id
  attempt(() => (id === undefined ? localStorage.removeItem(LAST) : localStorage.setItem(LAST, id)))
  if (id === undefined) return
  const oldest = Date.now() - LONGEST
  for (const [key, { at }] of read(`${PREFIX}.`)) if (!(at > oldest)) attempt(() => localStorage.removeItem(key))
}

/** Undefined takes it away. A browser that allows no storage, or has no room, keeps nothing. */
export function keep(kind: Kind, key: string, value: unknown): void {
  if (person === undefined) return
  const name = `${PREFIX}.${person}.${kind}.${key}`
  attempt(() =>
    value === undefined ? localStorage.removeItem(name) : localStorage.setItem(name, JSON.stringify({ at: Date.now(), value })),
  )
}

export function kept<Value>(kind: Kind, key: string): Value | undefined {
  const text = attempt(() => localStorage.getItem(`${PREFIX}.${person}.${kind}.${key}`))
  return person === undefined || !text ? undefined : attempt(() => (JSON.parse(text) as { value: Value }).value)
}

export function allKept<Value>(kind: Kind, whose = person): ReadonlyMap<string, Value> {
  if (whose === undefined) return new Map()
  const start = `${PREFIX}.${whose}.${kind}.`
  return new Map(read(start).map(([key, { value }]) => [key.slice(start.length), value as Value]))
}

/** Whether something that is not saved is kept in this browser, whoever's it is. */
export const isAnythingKept = (): boolean => read(`${PREFIX}.`).length > 0

export const lastPerson = (): string | undefined => attempt(() => localStorage.getItem(LAST)) ?? undefined

/** Of this person. */
export function eraseKept(): void {
  if (person === undefined) return
  for (const [key] of read(`${PREFIX}.${person}.`)) attempt(() => localStorage.removeItem(key))
  attempt(() => localStorage.removeItem(LAST))
}

function read(start: string): readonly (readonly [key: string, kept: { readonly at: number; readonly value: unknown }])[] {
  return (
    attempt(() =>
      Object.keys(localStorage).flatMap((key) => {
        if (!key.startsWith(start)) return []
        const entry = JSON.parse(localStorage.getItem(key) ?? 'null') as { at: number; value: unknown } | null
        return entry === null ? [] : [[key, entry] as const]
      }),
    ) ?? []
  )
}

function attempt<Answer>(work: () => Answer): Answer | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
