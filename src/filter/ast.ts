import type { Where } from '../errors.ts'

/*
 * The syntax tree. Names and values are not resolved yet. `at` is a 0-based offset into the decoded text, in UTF-16 code units.
 */
export type Node = Call | Name | Literal

export interface Call {
  readonly is: 'call'
  /** As written; the case does not matter. */
  readonly name: string
  readonly args: readonly Node[]
  readonly at: number
  /** The query parameter it was written in, if that is not `filter`. */
  readonly writtenIn?: string
}

export interface Name {
  readonly is: 'name'
  readonly name: string
  /** An attribute of the record that it refers to: the `f3` of `f12.f3`. */
  readonly step?: string
  /** Days after it, with their sign: the `-30` of `today-30`; of a week, month or year so many of these. */
  readonly days?: string
  readonly at: number
}

export interface Literal {
  readonly is: 'literal'
  readonly text: string
  readonly quoted: boolean
  readonly at: number
}

/** A whole filter. */
export type Expression = Call

/** The text of a node: parse(print(node)) is the node with other offsets, print(parse(text)) is the text without blanks. */
export function print(node: Node): string {
  switch (node.is) {
    case 'call':
      return `${node.name}(${node.args.map(print).join(',')})`
    case 'name':
      return node.step === undefined ? node.name + (node.days ?? '') : `${node.name}.${node.step}`
    case 'literal':
      return node.quoted ? `'${node.text.replaceAll("'", "''")}'` : node.text
  }
}

/** The names of references in a filter that an attribute follows. */
export function referencesIn(node: Node, found: Set<string> = new Set()): ReadonlySet<string> {
  if (node.is !== 'call') return found
  const [first] = node.args
  if (first?.is === 'call') for (const arg of node.args) referencesIn(arg, found)
  else if (first?.is === 'name' && first.step !== undefined) found.add(first.name)
  return found
}

/** Where a filter is wrong, and what is expected there. */
export const place = (position: number, expected: string, expression = 'filter'): Where => ({
  expression,
  meta: { position, expected },
})
