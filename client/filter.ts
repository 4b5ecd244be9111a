/* Filter expressions (docs/filters.md). Values are quoted here, so that no text of a person can become a part of the expression. */

/** A word instead of a value: `current_user`, `today`, `today-30`. */
export class Word {
  readonly text: string
  constructor(text: string) {
    if (!/^[a-z_]+([+-]\d+)?$/.test(text)) throw new TypeError(`'${text}' is not a word of filters.`)
    this.text = text
  }
}

export type Value = string | number | boolean | Word

/** An expression; N: the names of attributes that may be in it. */
export class Filter<N extends string = never> {
  readonly text: string
  declare readonly names?: N
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

export const word = (text: string): Word => new Word(text)

const quoted = (value: Value): string => {
  if (value instanceof Word) return value.text
  const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
  return `'${text.replaceAll("'", "''")}'`
}

/** Of an attribute of a record, or of one that a reference leads to (`f12.f3`). */
function named<N extends string>(fn: string, name: N, values: readonly Value[]): Filter<N> {
  if (!/^\w+(\.\w+)?$/.test(name)) throw new TypeError(`'${name}' is not the name of an attribute.`)
  return new Filter(`${fn}(${[name, ...values.map(quoted)].join(',')})`)
}

const compares =
  (fn: string) =>
  <N extends string>(name: N, value: Value): Filter<N> =>
    named(fn, name, [value])

export const eq = compares('eq')
export const ne = compares('ne')
export const gt = compares('gt')
export const gte = compares('gte')
export const lt = compares('lt')
export const lte = compares('lte')
export const startsWith = compares('starts_with')
export const endsWith = compares('ends_with')
export const contains = compares('contains')
/** Of fields with several values: has this one. */
export const has = compares('has')

export const within = <N extends string>(name: N, ...values: readonly Value[]): Filter<N> => named('in', name, values)
export const without = <N extends string>(name: N, ...values: readonly Value[]): Filter<N> => named('nin', name, values)
export const between = <N extends string>(name: N, lower: Value, upper: Value): Filter<N> => named('between', name, [lower, upper])

const joined =
  (fn: string) =>
  <N extends string>(...all: readonly Filter<N>[]): Filter<N> =>
    all.length === 1 ? all[0]! : new Filter(`${fn}(${all.map(({ text }) => text).join(',')})`)

/** Of at least one filter. */
export const and = joined('and')
export const or = joined('or')
export const not = <N extends string>(one: Filter<N>): Filter<N> => new Filter(`not(${one.text})`)

/** Each of the words is the beginning of a word in some attribute. */
export const search = (words: string): Filter => new Filter(`search(${quoted(words)})`)
/** A saved filter, by its id; it stands alone. */
export const savedFilter = (id: number): Filter => new Filter(`use_filter(${Math.trunc(id)})`)
