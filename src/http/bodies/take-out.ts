import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'

/*
 * Takes the contents of files out of a body: a string in data.attributes.<name>[n].content stays in the file, and in the text that
 * remains a short key replaces it. That text is as small as a body without files, and is parsed as one.
 */

/** A string that was taken out. */
export interface Gap {
  /** The key that replaces it, and where, in bytes of the text that remains. */
  readonly key: string
  readonly at: number
  /** Begin and end of the string without its quotes, in bytes of the body. */
  readonly from: number
  readonly to: number
  /** Where the string is malformed: the byte of the body that a parser would refuse. */
  readonly fault: number | undefined
}

export interface Taken {
  readonly bytes: Buffer
  readonly gaps: readonly Gap[]
}

export interface Taking {
  /** The next bytes of the body. @throws `body.too_large_besides` */
  take(bytes: Uint8Array): void
  end(): Taken
}

const [BLANK, QUOTE, COLON, ESCAPE, HEX] = [0x20, 0x22, 0x3a, 0x5c, 0x75]
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d]
/** What may follow a backslash, besides u. */
const ESCAPED: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (one) => one.charCodeAt(0)))
/** A byte that is not allowed within a string. */
const FAULT = '\u0001'
/** An escape of a character beyond Latin-1, in bytes: the parser tells no position of it. From this byte on, UTF-8 begins such a character. */
const FAULT_WITHOUT_POSITION = '\\\u00d1\u0091'
const BEYOND_LATIN_1 = 0xc4

/** `nonce`: a random text, part of every key, so that no client can send a key itself. */
export function taking(nonce: string): Taking {
  const left = remaining()
  const place = placeFinder(left)
  const gaps: Gap[] = []
  let at = 0
  let within: 'structure' | 'string' | 'content' = 'structure'
  let isEscaped = false
  let content = contentReader(0)

  function structure(byte: number): void {
    left.put(byte)
    if (byte <= BLANK) return
    if (byte !== QUOTE) return place.pass(byte)
    const isContent = place.isContent()
    within = isContent ? 'content' : 'string'
    if (isContent) content = contentReader(at + 1)
    place.beginString()
  }

  function string(byte: number): void {
    left.put(byte)
    if (isEscaped) isEscaped = false
    else if (byte === ESCAPE) isEscaped = true
    else if (byte === QUOTE) {
      within = 'structure'
      place.endString()
    }
  }

  function leave(to: number, isClosed: boolean): void {
    const { from, fault } = content
    if (to > from) {
      const key = fault !== undefined ? content.mark() : isClosed ? `${nonce}:${gaps.length}` : content.begun()
      gaps.push({ key, at: left.length(), from, to, fault })
      left.mark(key)
    }
    within = 'structure'
    if (!isClosed) return
    left.put(QUOTE)
    place.endString()
  }

  return {
    take(bytes) {
      const begin = at
      for (let i = 0; i < bytes.length;) {
        at = begin + i
        if (within === 'content') {
          const end = content.read(bytes, i, begin)
          if (end < 0) break
          at = begin + end
          leave(at, true)
          i = end + 1
        } else if (within === 'string') string(bytes[i++]!)
        else structure(bytes[i++]!)
      }
      at = begin + bytes.length
    },
    end() {
      if (within === 'content') leave(at, false)
      return { bytes: left.bytes(), gaps }
    },
  }
}

type Remaining = ReturnType<typeof remaining>

function remaining() {
  const { most } = limits.bodyBesides
  let bytes = Buffer.allocUnsafe(65_536)
  let length = 0
  // Of these, bytes of the body.
  let own = 0
  const add = (byte: number) => {
    if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length)
    bytes[length++] = byte
  }
  return {
    put(byte: number): void {
      if (own++ === most) throw fail('body.too_large_besides', { most })
      add(byte)
    },
    /** Writes the key of a content, which is not counted. */
    mark(key: string): void {
      for (let i = 0; i < key.length; i++) add(key.charCodeAt(i))
    },
    length: () => length,
    bytes: () => bytes.subarray(0, length),
    text: (from: number, to: number) => bytes.toString('utf8', from, to),
  }
}

/** The levels that lead to the content of a file: the first byte of each, and its name as a member. */
const LEVELS: readonly (readonly [first: number, name?: string])[] = [[BRACE], [BRACE, 'data'], [BRACE, 'attributes'], [BRACKET], [BRACE]]

/** Tells whether the next string is the content of a file. */
function placeFinder(left: Remaining) {
  // The number of open levels, and how many of them, from the outermost on, are on the way to a content.
  let open = 0
  let fitting = 0
  // The last byte that is not white space, and the last string in the text that remains.
  let before = 0
  let [from, to] = [0, 0]

  function isNamed(name: string): boolean {
    if (before !== COLON || to - from > 6 * name.length) return false
    try {
      return JSON.parse(`"${left.text(from, to)}"`) === name
    } catch {
      return false
    }
  }

  return {
    pass(byte: number): void {
      if (byte === BRACKET || byte === BRACE) {
        const level = open === fitting ? LEVELS[open] : undefined
        if (level && byte === level[0] && (level[1] === undefined || isNamed(level[1]))) fitting++
        open++
      } else if (byte === BRACKET_END || byte === BRACE_END) {
        open = Math.max(0, open - 1)
        fitting = Math.min(fitting, open)
      }
      before = byte
    },
    isContent: () => open === LEVELS.length && fitting === open && isNamed('content'),
    beginString(): void {
      from = left.length()
    },
    endString(): void {
      to = left.length() - 1
      before = QUOTE
    },
  }
}

/** Reads a string that is taken out, from a byte of the body on, to its end. */
function contentReader(from: number) {
  // Characters of an escape that are still missing: 5 after the backslash, then those of \uXXXX.
  let due = 0
  let fault: number | undefined
  let mark = FAULT
  return {
    from,
    get fault() {
      return fault
    },
    /** What stands for the fault in the text that remains. */
    mark: () => mark,
    /** An escape that has not ended yet. */
    begun: () => (due === 0 ? '' : due === 5 ? '\\' : `\\u${'0'.repeat(4 - due)}`),
    /** Where in these bytes, which begin at a byte of the body, the quote is that ends it; -1 where it goes on. */
    read(bytes: Uint8Array, begin: number, at: number): number {
      for (let i = begin; i < bytes.length; i++) {
        const byte = bytes[i]!
        if (due === 5) {
          due = byte === HEX ? 4 : 0
          if (due === 0 && !ESCAPED.has(byte) && fault === undefined) {
            fault = at + i
            if (byte >= BEYOND_LATIN_1) mark = FAULT_WITHOUT_POSITION
          }
          continue
        }
        if (due > 0) {
          due = isHex(byte) ? due - 1 : 0
          if (isHex(byte)) continue
          fault ??= at + i
        }
        if (byte === QUOTE) return i
        if (byte === ESCAPE) due = 5
        else if (byte < BLANK) fault ??= at + i
      }
      return -1
    },
  }
}

const isHex = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

/** The objects of a document whose contents may have been taken out. */
export function filesIn(document: unknown): Record<string, unknown>[] {
  const attributes = memberOf(memberOf(document, 'data'), 'attributes')
  if (!isObject(attributes)) return []
  const lists = Object.values(attributes).filter((value): value is unknown[] => Array.isArray(value))
  return lists.flatMap((list) => list.filter(isObject))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const memberOf = (value: unknown, name: string): unknown => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined)
