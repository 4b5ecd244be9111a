import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/*
 * Code and pages cite a row of DECISIONS.md as `DECISIONS R5`, several as `DECISIONS R5, T1`, and a rule of docs/interface.md
 * as `interface 4.2`. Both have numbers that stay: a row that is given up keeps its number and says so. Nothing cites what is
 * not in the repository.
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Every text file whose citations count; this one names what it refuses. */
const files = ['src', 'test', 'bench', 'scripts', 'docs', 'examples', 'bin']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .concat(readdirSync(root).filter((file) => /\.(?:md|cjs)$/.test(file)))
  .filter(
    (file) => /\.(?:ts|mts|mjs|cjs|md|sh|php|py|js)$/.test(file) && !file.includes('node_modules') && !file.endsWith('citations.test.ts'),
  )

/** The sections of DECISIONS.md, with the letter of the numbers in each. */
const letters: Readonly<Record<string, string>> = {
  Records: 'R',
  'Field types': 'T',
  Files: 'F',
  Lists: 'L',
  'Over HTTP': 'H',
  'Filter language': 'Q',
  'Errors, sign-in and rights': 'A',
  Structure: 'S',
  Speed: 'P',
  'Several processes over one PostgreSQL': 'N',
  Changes: 'K',
  Documents: 'D',
  Webhooks: 'W',
  'Command line': 'C',
  'The project': 'G',
  'The pages': 'V',
}

/** The first cell of each row of the page's tables of numbered rows, by section. */
function rowsOf(page: string): { section: string; number: string; row: string }[] {
  const rows: { section: string; number: string; row: string }[] = []
  let section = ''
  let numbered = false
  for (const line of read(page).split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3)
    if (!line.startsWith('|')) numbered = false
    else if (line.startsWith('| no. |')) numbered = true
    else if (numbered && line.startsWith('| ')) rows.push({ section, number: line.split('|')[1]!.trim(), row: line })
  }
  return rows
}

const decisions = rowsOf('DECISIONS.md')
const rules = rowsOf('docs/interface.md')

const repeated = (numbers: readonly string[]): string[] => numbers.filter((number, i) => numbers.indexOf(number) !== i)

/** What each file cites, as `file: number`, where `known` has no such number. */
function unknown(cited: RegExp, known: readonly string[]): string[] {
  const there = new Set(known)
  return files.flatMap((file) =>
    [...read(file).matchAll(cited)]
      .flatMap(([, numbers]) => numbers!.split(/,\s*|\s+and\s+/))
      .filter((number) => !there.has(number))
      .map((number) => `${file}: ${number}`),
  )
}

test('every row of DECISIONS.md has a number of its own, with the letter of its section', () => {
  assert.ok(decisions.length > 180, String(decisions.length))
  for (const { section, number, row } of decisions) assert.match(number, new RegExp(`^${letters[section]}[1-9][0-9]*$`), row)
  assert.deepEqual(repeated(decisions.map(({ number }) => number)), [])
  assert.doesNotMatch(read('DECISIONS.md'), /^\| decision \|/m, 'a table without numbers')
})

test('every rule of docs/interface.md has a number of its own, in the chapter of that number', () => {
  assert.ok(rules.length > 80, String(rules.length))
  for (const { section, number, row } of rules) assert.match(number, new RegExp(`^${parseInt(section)}\\.[1-9][0-9]*$`), row)
  assert.deepEqual(repeated(rules.map(({ number }) => number)), [])
})

test('every rule of docs/interface.md names a test by words of its title', () => {
  for (const { number, row } of rules) {
    const tests = [...row.matchAll(/\[([^\]]+)\]\((\.\.\/[^)]+\.test\.ts)\)/g)]
    assert.ok(tests.length > 0, `${number} names no test`)
    for (const [, title, link] of tests) {
      const file = normalize(join('docs', dirname(link!), link!.split('/').at(-1)!))
      assert.ok(read(file).includes(title!), `${number}: ${file} has no test '${title}'`)
    }
  }
})

test('every citation names a row that exists', () => {
  const row = '[A-Z][0-9]+'
  assert.deepEqual(
    unknown(
      new RegExp(`\\bDECISIONS (${row}(?:(?:, | and )${row})*)`, 'g'),
      decisions.map(({ number }) => number),
    ),
    [],
  )
  const rule = '[0-9]+\\.[0-9]+'
  assert.deepEqual(
    unknown(
      new RegExp(`\\binterface (${rule}(?:(?:, | and )${rule})*)`, 'g'),
      rules.map(({ number }) => number),
    ),
    [],
  )
})

test('nothing cites what is not in the repository', () => {
  const outside = [
    /\bdecisions?,? (?:section|[0-9])/i,
    /\bdecisions\.md\b/,
    /(?<!docs\/|\]\()\binterface\.md\b/,
    /\bissue [A-I]\b/,
    /\bshared\//,
    /\/work\//,
  ]
  const found = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (outside.some((pattern) => pattern.test(line)) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  )
  assert.deepEqual(found, [])
})
