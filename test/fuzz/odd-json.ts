import type { Random } from '../support/random.ts'

/* JSON as text, with what JSON.stringify would never write: members twice, numbers of any size, halves of characters. */

export type Tree = { readonly members: [key: string, value: Tree][] } | { readonly items: Tree[] } | { readonly text: string }

export const treeOf = (value: unknown): Tree => {
  if (Array.isArray(value)) return { items: value.map(treeOf) }
  if (typeof value === 'object' && value !== null)
    return { members: Object.entries(value).map(([key, member]) => [JSON.stringify(key), treeOf(member)]) }
  return { text: JSON.stringify(value) }
}

export function textOf(tree: Tree): string {
  if ('text' in tree) return tree.text
  if ('items' in tree) return `[${tree.items.map(textOf).join(',')}]`
  return `{${tree.members.map(([key, value]) => `${key}:${textOf(value)}`).join(',')}}`
}

const numbers = [
  '0',
  '-0',
  '-1',
  '1',
  '2',
  '99',
  '1.5',
  '1e3',
  '1E+2',
  '1e400',
  '-1e400',
  '1e-400',
  '1e-7',
  '9007199254740993',
  '-9007199254740993',
  '123456789012345678901234567890',
  '0.1000000000000000055511151231257827',
  '2147483648',
  '9223372036854775808',
  '1e21',
  '4294967296',
  '9'.repeat(400),
  `0.${'0'.repeat(500)}1`,
  `1${'0'.repeat(2_000)}`,
  '1e99999999999',
]
const words = ['null', 'true', 'false', '{}', '[]', '""', '[[]]', '[{}]', '[null]', '{"":""}']
const texts = [
  '0',
  '1',
  '-1',
  'true',
  'text',
  'decimal',
  'reference',
  'autonumber',
  'list',
  'file',
  'write',
  'read',
  'hidden',
  'admin',
  'A',
  '2024-02-30',
  '0000-00-00',
  '9999-12-31 23:59:59',
  '2024-05-01T00:00:00+14:00',
  '-1-2-',
  '-1-',
  '--',
  '-0-',
  'eq(status,0)',
  "eq(f1,'')",
  'use_filter(1)',
  'not(not(',
  'someone1@example.org',
  'someone@example.org',
  'javascript:alert(1)',
  'https://a.b/',
  '+7 900',
  '1e3',
  '123456789012345678',
  '1234567890123456789',
  '0.001',
  'A\r\nB',
  'a\nb',
  "'; DROP TABLE users; --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '<script>',
  '${7*7}',
  '{{7*7}}',
  '\u202e',
  '\ufeff',
  'İ',
  'ß',
  'é',
  'e\u0301',
  '😀',
  '\u0000',
  '\u0007',
  '__proto__',
  'constructor',
  'toString',
]
/** What JSON.stringify would put into one piece: lone surrogates, escapes of NUL, controls. */
const raws = ['"\\ud800"', '"\\udc00a"', '"\\u0000"', '"a\\u0000b"', '"\\/"', '"\\u002f"', '"\\ud83d\\ude00"']
const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', '', 'data', 'id', 'type', 'attributes', 'f1', 'f999',
  'F1', 'f01', 'status', 'user_id', 'add_time', 'update_time', 'relationships', 'links', 'meta', 'a/b', 'a~b', 'ключ', '\u0000', ' ', 'lid', 'version'] // prettier-ignore

export function oddValue(random: Random, depth = 0): Tree {
  const chance = random.int(100)
  if (chance === 0) return { text: JSON.stringify(`a${'\u0301'.repeat(random.pick([30, 31, 5_000, 30_000]))}`) }
  if (chance < 25) return { text: random.pick(numbers) }
  if (chance < 40) return { text: random.pick(words) }
  if (chance < 65) return { text: JSON.stringify(random.pick(texts)) }
  if (chance < 70) return { text: random.pick(raws) }
  if (chance < 74)
    return { text: JSON.stringify(random.pick(['x', 'ё', '😀', '\r\n', '-', "'", '(']).repeat(random.pick([256, 1_000, 9_000]))) }
  if (chance < 77) return deep(random)
  if (chance < 79) return { items: Array.from({ length: random.pick([51, 1_001, 5_000]) }, () => ({ text: '"1"' })) }
  if (depth > 2) return { text: 'null' }
  if (chance < 88) return { items: Array.from({ length: random.int(4) }, () => oddValue(random, depth + 1)) }
  if (chance < 92) return file(random, depth)
  return { members: Array.from({ length: random.int(4) }, () => [oddKey(random), oddValue(random, depth + 1)]) }
}

export const oddKey = (random: Random): string => (random.percent(5) ? '"\\ud800"' : JSON.stringify(random.pick(keys)))

function deep(random: Random): Tree {
  const depth = random.pick([10, 100, 1_000, 10_000])
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const)
  return { text: `${open.repeat(depth)}1${close.repeat(depth)}` }
}

const fileNames = [
  'a.txt',
  'a.png',
  'b',
  '',
  '.',
  '..',
  'a/b',
  'a\\b',
  'a\nb',
  'x'.repeat(300),
  'ё.PNG',
  'A.TXT',
  'a.txt ',
  '\u0000',
  'CON',
]

function file(random: Random, depth: number): Tree {
  const value = {
    file_name: random.pick(fileNames),
    content: random.pick(['', 'text', 'AAAA', 'AAA', '====', 'AA==']),
    binary: random.percent(50),
  }
  const tree = treeOf(value) as { members: [string, Tree][] }
  if (random.percent(30)) tree.members.push([oddKey(random), oddValue(random, depth + 1)])
  return { items: random.percent(30) ? [tree, treeOf(value)] : [tree] }
}

/** The tree with one thing in it changed. */
export function mutated(random: Random, tree: Tree): Tree {
  const children = 'members' in tree ? tree.members.length : 'items' in tree ? tree.items.length : 0
  if (children === 0 || random.percent(15)) return oddValue(random)
  const at = random.int(children)
  if ('items' in tree) return { items: tree.items.map((item, i) => (i === at ? mutated(random, item) : item)) }
  if (!('members' in tree)) return tree
  const members = [...tree.members]
  const [key, value] = members[at]!
  const chance = random.int(100)
  if (chance < 55) members[at] = [key, mutated(random, value)]
  else if (chance < 65) members.splice(at, 1)
  else if (chance < 75) members.push([key, oddValue(random)])
  else if (chance < 82) members.push([oddKey(random), oddValue(random)])
  else if (chance < 89) members.push(['"__proto__"', oddValue(random)])
  else if (chance < 95) members[at] = [oddKey(random), value]
  else members.unshift([key, oddValue(random)])
  return { members }
}
