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
      return node.name
    case 'literal':
      return node.quoted ? `'${node.text.replaceAll("'", "''")}'` : node.text
  }
}

/** Where a filter is wrong, and what is expected there. */
export const place = (position: number, expected: string, expression = 'filter'): Where => ({
  expression,
  meta: { position, expected },
})
