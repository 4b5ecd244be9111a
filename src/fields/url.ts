import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import type { FieldType } from './field-type.ts'
import { quoted } from './forms/quoted.ts'
import { foldedText, mostCharacters, mustBeOneLine, mustNotExceed, textSchema } from './forms/texts.ts'

const LONGEST_URL = limits.url.most

/** Stored as typed. Schemes that run code in a link, such as javascript:, are refused. */
export const url: FieldType = {
  ...foldedText,
  name: 'url',
  widget: 'line',
  says: 'A web address: http, https, ftp, mailto or tel, or a bare host such as www.example.com/page.',
  settings: ['maxLength'],
  canBeUnique: true,
  guess: { value: /^(https?|ftp):\/\//i, order: 80 },
  longest: LONGEST_URL,
  maxUnits: 2 * LONGEST_URL,
  schema: textSchema(LONGEST_URL),
  parse(value, settings) {
    if (value === '') return value
    mustBeOneLine(value)
    mustNotExceed(value, mostCharacters(settings, LONGEST_URL))
    if (!isAddress(value)) throw fail('field.invalid_value', { why: `${quoted(value)} is not a web address.` })
    return value
  },
  examples: [
    ['', ''],
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['HTTP://Example.com:8080', 'HTTP://Example.com:8080'],
    ['https://пример.рф/путь', 'https://пример.рф/путь'],
    ['ftp://files.example.com/x', 'ftp://files.example.com/x'],
    ['mailto:anna@example.com', 'mailto:anna@example.com'],
    ['tel:+123', 'tel:+123'],
    ['www.example.com/page', 'www.example.com/page'],
  ],
  rejects: [
    'javascript:alert(1)',
    'java.script:alert(1)',
    ' https://example.com',
    'https://',
    'https://a b',
    'http://example.com:99999',
    'data:text/html,x',
    'file:///etc/passwd',
    'example',
    '//example.com',
    'https://example.com\n',
    `https://example.com/${'x'.repeat(2000)}`,
  ],
}

function isAddress(text: string): boolean {
  if (/[\s\p{Cc}<>"]/u.test(text)) return false
  if (/^(?:https?|ftp):\/\/[^/?#]/i.test(text)) return URL.canParse(text)
  if (/^mailto:/i.test(text)) return /^mailto:[^@?]+@[^@?]+/i.test(text)
  if (/^tel:/i.test(text)) return /^tel:\+?[\d\-().]*\d/i.test(text)
  return BARE.test(text) && URL.canParse(`http://${text}`)
}

// A host with at least one dot, whose last label begins with a letter, then optionally a port, a path, a query.
const BARE = /^(?:[\p{L}\p{M}\p{N}_-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]*(?::\d{1,5})?(?:[/?#].*)?$/u
