import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/* docs/json-api.md names a test for each clause of JSON:API 1.1, or says why there is none. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Row {
  readonly section: string
  readonly clause: string
  readonly test: string
}

function rowsOf(page: string): Row[] {
  let section = ''
  return page.split('\n').flatMap((line): Row[] => {
    if (line.startsWith('## ')) section = line.slice(3)
    const [, clause, test] = /^\| \[§\]\(https:\/\/jsonapi\.org\/[^)]+\) (.+) \| (.+) \|$/.exec(line) ?? []
    return clause === undefined ? [] : [{ section, clause, test: test! }]
  })
}

/** The tests that a row names, as `file: words of its title`. */
const testsOf = ({ test }: Row): string[] =>
  Array.from(
    test.matchAll(/\[((?:[^[\]]|\[[^[\]]*\])+)\]\(([^)]+\.test\.ts)\)/g),
    ([, title, link]) => `${normalize(join('docs', link!))}: ${title}`,
  )

const rows = rowsOf(read('docs/json-api.md'))

test('every section of the standard is there', () => {
  assert.ok(rows.length > 100, String(rows.length))
  assert.deepEqual(
    [...new Set(rows.map(({ section }) => section))],
    [
      'The JSON:API media type',
      'Content negotiation',
      'Document structure',
      'Fetching data',
      'Creating, updating and deleting resources',
      'Query parameters',
      'Errors',
      'Atomic Operations',
      'Cursor Pagination',
    ],
  )
})

test('every clause names a test by words of its title, says why it does not apply, or cites the decision', () => {
  for (const row of rows) {
    const tests = testsOf(row)
    if (tests.length === 0) assert.match(row.test, /^(does not apply: .{10}|differs: .{10,} \(DECISIONS )/, row.clause)
    if (row.test.includes('differs:')) assert.match(row.test, /differs: [^;]+ \(DECISIONS [A-Z]\d+/, row.clause)
    for (const one of tests) {
      const [file, title] = one.split(/: (.*)/s) as [string, string]
      assert.ok(read(file).includes(title), `${row.clause}: ${file} has no test '${title}'`)
    }
  }
})

test('every test of test/standard is that of some clause', () => {
  const named = new Set(rows.flatMap(testsOf))
  for (const path of readdirSync(join(root, 'test/standard'), { recursive: true, encoding: 'utf8' })) {
    const file = join('test/standard', path)
    if (!file.endsWith('.test.ts')) continue
    const cited = [...named].filter((one) => one.startsWith(`${file}: `))
    assert.ok(cited.length > 0, `${file} in ${dirname(file)} is named by no clause`)
  }
})
