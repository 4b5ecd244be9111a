import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = ['', 'docs', 'docs/guides', 'docs/reference', 'bench', 'bench/peers', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
)

const text = (page: string): string => readFileSync(join(root, page), 'utf8')

/** The links of a page to files of the repository and to headings: the file, and the part after `#`. */
const linksOf = (page: string): { readonly file: string; readonly heading: string; readonly as: string }[] =>
  [...text(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target]) => {
    const [file = '', heading = ''] = target!.split('#')
    return { file: file === '' ? page : join(dirname(page), file), heading, as: `${page}: ${target}` }
  })

/** What follows `#` in links to the headings of a page, as GitHub makes it. */
const headingsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...text(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

test('every link of a page leads to a file, and to a heading of it where it names one', () => {
  assert.ok(pages.length > 15, pages.join(', '))
  const links = pages.flatMap(linksOf)
  const dead = links.filter(({ file, heading }) => {
    if (!existsSync(join(root, file))) return true
    return heading !== '' && file.endsWith('.md') && !headingsOf(file).has(heading)
  })
  assert.deepEqual(
    dead.map(({ as }) => as),
    [],
  )
})

test('every page of docs is reached from docs/README.md, and that from README.md', () => {
  const reached = new Set(['docs/README.md'])
  for (const page of reached) for (const { file } of linksOf(page)) if (file.startsWith('docs/') && pages.includes(file)) reached.add(file)
  assert.deepEqual(
    pages.filter((page) => page.startsWith('docs/') && !reached.has(page)),
    [],
  )
  assert.ok(linksOf('README.md').some(({ file }) => file === 'docs/README.md'))
})

test('every promise of SECURITY.md names what holds it', () => {
  const promised = readFileSync(join(root, 'SECURITY.md'), 'utf8').split('## What is promised')[1]!.split('\n## ')[0]!
  const rows = promised.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
  assert.ok(rows.length > 10)
  for (const row of rows) assert.match(row.split('|')[2]!, /\]\((test|scripts)\//, row)
})
