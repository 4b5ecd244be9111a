import type { Where } from '../errors.ts'

/*
 * What the parser produces: the shape of the text, no meaning yet. `at` is a 0-based offset into the decoded text, in
 * UTF-16 code units.
 */
export type Node = Call | Name | Literal

export interface Call {
  readonly is: 'call'
  /** As written: functions are known in any case. */
  readonly name: string
  readonly args: readonly Node[]
  readonly at: number
  /** The name of the expression it was written in, where that is not `filter`. */
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

/** Text of a node. parse(print(node)) is node but for its offsets, and print(parse(text)) is text without its blanks. */
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

/** The place of a fault in a filter, and what should stand there. */
export const place = (position: number, expected: string, expression = 'filter'): Where => ({
  expression,
  meta: { position, expected },
})
