import { fail, type Failure } from '../errors.ts'
import { textOf } from '../fields/forms/code-units.ts'
import { limits } from '../limits.ts'
import { place, type Call, type Expression, type Node } from './ast.ts'

/*
 *   filter   = ws call ws
 *   call     = name "(" argument { "," argument } ")"
 *   argument = call | name [ step | days ] | number | text
 *   name     = letter { letter | digit | "_" }
 *   step     = "." name
 *   days     = ( "+" | "-" ) digits
 *   number   = [ "-" ] digits [ "." digits ]
 *   text     = "'" { any character but "'" | "''" } "'"
 *
 * Blanks may stand between tokens. The grammar names no function: functions.ts lists them, check.ts checks their arguments.
 */

const BLANKS = /\s*/y
const NAME = /[A-Za-z][A-Za-z0-9_]*/y
const NUMBER = /-?[0-9]+(?:\.[0-9]+)?/y
const STEP = /\.[A-Za-z][A-Za-z0-9_]*/y
const DAYS = /[+-]\s*[0-9]{1,7}(?![0-9.])/y

/** @throws a Failure `filter.…` with the position and what was expected there. */
export function parse(source: string, limit: number = limits.filter.most): Expression {
  mustNotExceed(source, limit)
  const text = scan(source)
  let functions = 0
  let values = 0

  const start = text.skip()
  const result = argument('a function', 0)
  if (result.is !== 'call') throw syntax('a function', start)
  const end = text.skip()
  if (end < source.length) throw syntax('the end of the filter', end)
  return result

  function argument(expected: string, depth: number): Node {
    const at = text.skip()
    if (source[at] === "'") return { is: 'literal', text: text.quoted(), quoted: true, at }
    const number = text.match(NUMBER)
    if (number !== '') return { is: 'literal', text: number, quoted: false, at }
    const name = text.match(NAME)
    if (name === '') throw syntax(depth > 0 && OTHER_QUOTES.test(source[at] ?? '') ? SINGLE : expected, at)
    const step = text.match(STEP).slice(1)
    if (step !== '') return { is: 'name', name, step, at }
    if (text.mark('(')) return call(name, at, depth + 1)
    const days = text.match(DAYS).replace(/\s+/, '')
    return days === '' ? { is: 'name', name, at } : { is: 'name', name, days, at }
  }

  function call(name: string, at: number, depth: number): Call {
    if (depth > limits.filterDepth.most)
      throw fail(
        'filter.too_deep',
        { most: limits.filterDepth.most },
        place(at, `at most ${limits.filterDepth.most} functions in each other`),
      )
    if (++functions > limits.functionsPerFilter.most) {
      throw fail(
        'filter.too_many_functions',
        { most: limits.functionsPerFilter.most },
        place(at, `at most ${limits.functionsPerFilter.most} functions`),
      )
    }
    const args: Node[] = []
    do {
      const arg = argument('an argument', depth)
      // The first argument is the attribute.
      if (args.push(arg) > 1 && arg.is !== 'call' && ++values > limits.filterValues.most) throw tooManyValues(arg.at)
    } while (text.mark(','))
    if (!text.mark(')')) throw syntax(lostPlus(args.at(-1)!) ? PLUS : "',' or ')'", text.skip())
    return { is: 'call', name, args, at }
  }

  /** Whether a number follows a name, as in `today 30`: a + that was not encoded in an address is a blank. */
  function lostPlus(last: Node): boolean {
    const next = source[text.skip()] ?? ''
    return last.is === 'name' && last.days === undefined && next >= '0' && next <= '9'
  }
}

const OTHER_QUOTES = /["`«»\u2018-\u201f]/
const SINGLE = "an argument; a text stands in single quotes, as 'text'"
const PLUS = "',' or ')'; a + in an address is written %2B"

/** The source, read token by token. */
function scan(source: string) {
  let position = 0
  return { skip, mark, match, quoted }

  /** Skips blanks. Returns the offset after them. */
  function skip(): number {
    match(BLANKS)
    return position
  }

  /** Skips blanks, and the mark if it follows. Returns whether it did. */
  function mark(wanted: string): boolean {
    if (source[skip()] !== wanted) return false
    position++
    return true
  }

  /** Skips and returns what the pattern matches here; '' for nothing. */
  function match(token: RegExp): string {
    token.lastIndex = position
    const found = token.exec(source)?.[0] ?? ''
    position += found.length
    return found
  }

  /** Skips and returns a text in quotes. Two quotes in it stand for one. */
  function quoted(): string {
    const from = position + 1
    let doubled = false
    for (let end = source.indexOf("'", from); end >= 0; end = source.indexOf("'", end + 2)) {
      position = end + 1
      if (source[position] !== "'") return doubled ? withSingleQuotes(source, from, end) : source.slice(from, end)
      doubled = true
    }
    throw syntax('a closing quote', source.length)
  }
}

const QUOTE = 0x27

/** A part of the source with one quote for every two. Joining the pieces between quotes would take about five times as long. */
function withSingleQuotes(source: string, from: number, end: number): string {
  const units = new Uint16Array(end - from)
  let length = 0
  for (let i = from; i < end; i++) {
    const unit = source.charCodeAt(i)
    units[length++] = unit
    if (unit === QUOTE) i++
  }
  return textOf(units.subarray(0, length))
}

function mustNotExceed(source: string, most: number): void {
  if (source.length <= most) return
  let [count, position] = [0, 0]
  for (const character of source) {
    if (++count > most) throw fail('filter.too_long', { most }, place(position, `at most ${most} characters`))
    position += character.length
  }
}

/** @throws `filter.too_long` for a filter in a request body with too many bytes. */
export function mustFitBody(source: string): void {
  const { most } = limits.postedFilter
  if (3 * source.length <= most) return
  let bytes = 0
  for (let i = 0; i < source.length; i++) {
    const unit = source.charCodeAt(i)
    // Half of a surrogate pair counts 2 of its 4 bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3
    if (bytes > most) throw fail('filter.too_long', { most, of: 'bytes' }, place(i, `at most ${most} bytes`))
  }
}

const tooManyValues = (at: number): Failure =>
  fail('filter.too_many_values', { most: limits.filterValues.most }, place(at, `at most ${limits.filterValues.most} values`))

const syntax = (expected: string, at: number): Failure => fail('filter.syntax', { expected }, place(at, expected))
