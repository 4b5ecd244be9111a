import type { Attribute, Stored } from '../fields/field-type.ts'
import type { Condition } from './check.ts'
import type { Operand } from './functions.ts'
import { BETWEEN, type Applied, type Among } from './operands.ts'
import { mayBeLong } from './patience.ts'
import { searchTest, type Searched } from './search.ts'

/*
 * Compiles a condition to a test of one record in memory, which may be in no table. It is true for exactly the records that the SQL of
 * compile.ts selects (test/filter/filter-oracle.test.ts). Operands are read once, when it is compiled.
 */

/** What a predicate reads of a record. */
export interface Comparable {
  /** Content of the column. A number may be its decimal text. */
  value(attribute: Attribute): Stored
  /** Content of the key column. Called only for types that have `key`. */
  key(attribute: Attribute): string
}

export type Predicate = (record: Comparable) => boolean

/**
 * Called with the length of a long text (code units) each time before a function looks through it. It may throw to stop the predicate.
 * To fold the text, once for each record and attribute, comes before and is not reported.
 */
export type Spend = (units: number) => void

/** Texts of at least so many code units are reported to `spend`. */
const LONG = 4_096

/**
 * Cost for each record: 20 to 100 ns for each function, and for `contains`, `ends_with` and `has` up to 20 ns for each code unit of the
 * text. The first function that needs the key of an attribute folds its value (up to 100 ns for each code unit), and the labels of its
 * options if they are not folded yet (`foldingOptions`). `search` costs for each word and attribute what `contains` costs.
 */
export function predicate(condition: Condition, spend?: Spend): Predicate {
  switch (condition.is) {
    case 'apply':
      return applied(condition, spend)
    case 'among':
      return among(condition)
    case 'search':
      return searched(condition, spend)
    case 'across':
      throw new Error('A record in memory does not have the records that it refers to.')
    case 'not': {
      const term = predicate(condition.term, spend)
      return (record) => !term(record)
    }
    case 'and':
      return until(
        false,
        condition.terms.map((term) => predicate(term, spend)),
      )
    case 'or':
      return until(
        true,
        condition.terms.map((term) => predicate(term, spend)),
      )
  }
}

/** Returns `decisive` if one of the terms does, else the opposite. */
const until =
  (decisive: boolean, terms: readonly Predicate[]): Predicate =>
  (record) => {
    for (const term of terms) if (term(record) === decisive) return decisive
    return !decisive
  }

function applied({ fn, attribute, values }: Applied, spend: Spend | undefined): Predicate {
  const areNumbers = attribute.type.kind === 'number' && fn.of !== 'part'
  const test = fn.test(areNumbers ? values.map(exactly) : values)
  const read = asked(attribute, fn.of)
  if (!spend || !mayBeLong(attribute)) return (record) => test(read(record))
  return (record) => {
    const text = read(record) as string
    if (text.length >= LONG) spend(text.length)
    return test(text)
  }
}

function among({ attribute, ids }: Among): Predicate {
  const wanted = new Set(ids)
  return (record) => wanted.has(Number(record.value(attribute)))
}

function searched(condition: Searched, spend: Spend | undefined): Predicate {
  const test = searchTest(condition, (attribute, units) => {
    if (spend && units >= LONG && mayBeLong(attribute)) spend(units)
  })
  return (record) => test({ text: (attribute) => shown(attribute, record), value: (attribute) => record.value(attribute) })
}

/** The text that a response shows, folded. */
function shown(attribute: Attribute, record: Comparable): string {
  const { type, settings } = attribute
  return type.key ? record.key(attribute) : type.format(record.value(attribute), settings)
}

/** Reads what the function compares: `asked` of compile.ts is the same in SQL. */
function asked(attribute: Attribute, of: Operand): (record: Comparable) => Stored {
  const { type, settings } = attribute
  if (type.kind === 'number')
    return of === 'part' ? (record) => type.format(record.value(attribute), settings) : (record) => exactly(record.value(attribute))
  if (!type.key) return (record) => record.value(attribute)
  return of === 'member' ? (record) => BETWEEN + record.key(attribute) + BETWEEN : (record) => record.key(attribute)
}

/** Decimal texts of at most so many characters are exact as a number. */
const EXACT = 15

/** A whole number as a number where that is exact, else as a bigint: so equal values are equal by `===`. */
export function exactly(stored: Stored): number | bigint {
  if (typeof stored === 'number') return stored
  if (typeof stored === 'string' && stored.length <= EXACT) return Number(stored)
  const whole = BigInt(stored)
  const number = Number(whole)
  return Number.isSafeInteger(number) ? number : whole
}

/** A record from its id and the contents of its columns, by attribute name. A key is computed once, when it is first needed. */
export class RecordInMemory implements Comparable {
  readonly #id: number
  readonly #values: ReadonlyMap<string, Stored>
  #keys: Map<Attribute, string> | undefined

  constructor(id: number, values: ReadonlyMap<string, Stored>) {
    this.#id = id
    this.#values = values
  }

  /** @throws an Error if the value is missing: a part of a record must not be tested. */
  value({ name }: Attribute): Stored {
    const stored = name === 'id' ? this.#id : this.#values.get(name)
    if (stored === undefined) throw new Error(`The record has no value for ${name}.`)
    return stored
  }

  key(attribute: Attribute): string {
    const keys = (this.#keys ??= new Map())
    let key = keys.get(attribute)
    if (key === undefined) {
      key = attribute.type.key!(this.value(attribute), attribute.settings)
      keys.set(attribute, key)
    }
    return key
  }
}
