import type { Call, Literal, Node } from './ast.ts'
import { filterFunctions } from './functions.ts'
import { parse } from './parse.ts'

/** The labels that the options now have which this value named: several where options had the same label. Undefined: no other ones. */
export type NewLabels = (value: string) => readonly string[] | undefined

/** A part of a text, and what stands there instead. */
interface Splice {
  readonly at: number
  readonly length: number
  readonly text: string
}

/**
 * The text of a filter with the new labels of options of the field `name`, on the record itself and on records that references name; all else stays
 * as written. Functions that compare the text of labels, such as `contains`, keep their values. @throws a Failure where it cannot be parsed
 */
export function withNewLabels(text: string, name: string, newLabels: NewLabels, limit: number): string {
  const splices: Splice[] = []
  for (const call of comparing(parse(text, limit), name)) splices.push(...inCall(call, newLabels))
  let result = ''
  let done = 0
  for (const { at, length, text: instead } of splices) {
    result += text.slice(done, at) + instead
    done = at + length
  }
  return result + text.slice(done)
}

/** The values that the same functions compare the field `name` with, as options. @throws a Failure where the text cannot be parsed */
export const comparedWith = (text: string, name: string, limit: number): readonly string[] =>
  comparing(parse(text, limit), name).flatMap(({ args }) => args.flatMap((arg) => (arg.is === 'literal' ? arg.text : [])))

/** The calls that take options of the field as values. */
function comparing(node: Node, name: string): readonly Call[] {
  if (node.is !== 'call') return []
  if (!namesField(node, name)) return node.args.flatMap((arg) => comparing(arg, name))
  const of = functionOf(node)?.of
  return of === 'value' || of === 'member' ? [node] : []
}

function functionOf({ name }: Call): (typeof filterFunctions)[string] | undefined {
  const key = name.toLowerCase()
  return Object.hasOwn(filterFunctions, key) ? filterFunctions[key] : undefined
}

function namesField({ args: [subject] }: Call, name: string): boolean {
  return subject?.is === 'name' && subject.days === undefined && (subject.step ?? subject.name) === name
}

function inCall({ name, args, at }: Call, newLabels: NewLabels): Splice[] {
  let most = 1
  const values = args.flatMap((arg): Splice[] => {
    const labels = arg.is === 'literal' ? newLabels(arg.text) : undefined
    if (!labels) return []
    most = Math.max(most, labels.length)
    return [{ at: arg.at, length: lengthOf(arg as Literal), text: labels.map(inQuotes).join(',') }]
  })
  const of = most > 1 ? ofSeveral[name.toLowerCase()] : undefined
  return of === undefined ? values : [{ at, length: name.length, text: of }, ...values]
}

/** The function that takes several values instead of one. */
const ofSeveral: Readonly<Record<string, string>> = { eq: 'in', ne: 'nin' }

const inQuotes = (text: string): string => `'${text.replaceAll("'", "''")}'`

const lengthOf = ({ text, quoted }: Literal): number => (quoted ? inQuotes(text) : text).length
