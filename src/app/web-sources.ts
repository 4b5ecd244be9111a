import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** What a build leaves beside its files: `sources`, the digest of what it was made of, and the parts by their names; pictures have no `encodings`. */
export interface Built {
  readonly sources: string
  readonly parts: Readonly<Record<string, { readonly media: string; readonly encodings: readonly string[] }>>
}

/** The folder that a build fills, in `web/`, and the file in it that says what was built. */
export const DIST = 'dist'
export const BUILT = 'built.json'

/** The files of a build that are sent. */
export const filesOf = ({ parts }: Built): readonly string[] => [
  'index.html',
  ...Object.entries(parts).flatMap(([name, { encodings }]) =>
    encodings.length === 0 ? [name] : encodings.map((encoding) => `${name}.${encoding}`),
  ),
]

/** What is not part of the sources. */
const OTHERS = new Set(['node_modules', DIST])

/** The typed client, with which the pages send their requests, and the manual, seen from `web/`. */
const CLIENT = join('..', 'client')
const MANUAL = join('..', 'docs', 'manual')

const entriesOf = (folder: string, recursive = false): Promise<Dirent[]> =>
  readdir(folder, { recursive, withFileTypes: true }).catch(() => [])
const pathIn = (web: string, { parentPath, name }: Dirent): string => relative(web, join(parentPath, name)).replaceAll('\\', '/')

/** A digest of all files of `web/`, `client/` and the manual that a build reads: not of tests. It takes some milliseconds. */
export async function digestOfSources(web: string): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for (const entry of await entriesOf(web)) {
    if (entry.name.startsWith('.') || OTHERS.has(entry.name)) continue
    if (entry.isFile()) files.push(entry.name)
    else
      for (const file of await entriesOf(join(web, entry.name), true))
        if (file.isFile() && !file.name.endsWith('.test.ts')) files.push(pathIn(web, file))
  }
  for (const file of await entriesOf(join(web, CLIENT))) if (file.isFile()) files.push(join(CLIENT, file.name))
  for (const file of await entriesOf(join(web, MANUAL), true)) if (file.isFile()) files.push(pathIn(web, file))
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(await readFile(join(web, file)))
      .update('\0')
  // How it is built counts as well.
  for (const script of ['build-web.ts', 'manual.ts']) hash.update(await readFile(join(web, '..', 'scripts', script)).catch(() => ''))
  return hash.digest('hex')
}
