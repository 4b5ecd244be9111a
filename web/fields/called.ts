import { idsOf } from './ids.ts'
import { fold } from './marks.ts'

/* What a text means that names records or people by what they are called. Nothing is guessed: a name of several means none of them. */

/** What was found of some names. */
export class Known {
  readonly #ids = new Set<string>()
  readonly #named = new Map<string, Set<string>>()

  /** `names`: what it is called; none of it where it may be meant by its number alone. */
  add(id: string, names: readonly string[]): void {
    this.#ids.add(id)
    for (const name of names) {
      const key = fold(name.trim())
      if (key !== '') this.#named.set(key, (this.#named.get(key) ?? new Set()).add(id))
    }
  }

  has = (id: string): boolean => this.#ids.has(id)
  called = (name: string): readonly string[] => [...(this.#named.get(fold(name)) ?? [])]
}

const NUMBER = /^(#?)([1-9]\d{0,14})$/

/** The number by which a record may be meant. */
export const numberIn = (name: string): string | undefined => NUMBER.exec(name)?.[2]

export type Wrong = 'nameMissing' | 'nameOfSeveral' | 'nameOrNumber'
export type Meaning = { readonly ids: readonly string[] } | { readonly wrong: Wrong; readonly name: string }

/** The names in a text, which may be one of several: the whole of it, and its parts. */
export function namesIn(text: string, isMultiple: boolean): { readonly whole: string; readonly parts: readonly string[] } {
  const whole = text.trim()
  if (!isMultiple) return { whole, parts: [] }
  const words = whole.split(/[,;\s]+/).filter((one) => one !== '')
  const isNumbers = words.every((one) => NUMBER.test(one))
  const named = whole.split(/[;\n]/.test(whole) ? /[;\r\n]+/ : ',').map((one) => one.trim())
  const parts = isNumbers ? words : named.filter((one) => one !== '')
  // Lists are written with a separator at their end too, also those of one.
  return { whole, parts: parts.length > 1 || (parts.length === 1 && parts[0] !== whole) ? parts : [] }
}

/** What a text means. A comma may stand in a name, and between two. */
export function meant(text: string, isMultiple: boolean, known: Known): Meaning {
  const { whole, parts } = namesIn(text, isMultiple)
  const one = meaningOf(whole, known)
  if (parts.length === 0 || ('wrong' in one && one.wrong !== 'nameMissing')) return one
  const several = parts.map((part) => meaningOf(part, known))
  const wrong = several.find((part) => 'wrong' in part)
  if (wrong) return 'ids' in one ? one : wrong
  const ids = [...new Set(several.flatMap((part) => ('ids' in part ? part.ids : [])))]
  return 'ids' in one && ids.some((id) => id !== one.ids[0]) ? { wrong: 'nameOfSeveral', name: whole } : { ids }
}

function meaningOf(name: string, known: Known): Meaning {
  const [, sign, number] = NUMBER.exec(name) ?? []
  const isNumber = number !== undefined && known.has(number)
  if (isNumber && sign === '#') return { ids: [number] }
  const others = known.called(name).filter((id) => !isNumber || id !== number)
  if (isNumber) return others.length === 0 ? { ids: [number] } : { wrong: 'nameOrNumber', name }
  return others.length === 1 ? { ids: others } : { wrong: others.length === 0 ? 'nameMissing' : 'nameOfSeveral', name }
}

/** As the service takes it. */
export const valueOf = (ids: readonly string[], isMultiple: boolean): string => (isMultiple ? idsOf(ids) : (ids[0] ?? ''))
