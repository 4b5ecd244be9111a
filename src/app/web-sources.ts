import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a build leaves beside its files: `sources`, the digest of what it was made of, and the parts by their names. */
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
  ...Object.entries(parts).flatMap(([name, { encodings }]) => encodings.map((encoding) => `${name}.${encoding}`)),
]

/** What is not part of the sources. */
const OTHERS = new Set(['node_modules', DIST])

/** A digest of all files of `web/` that a build reads. It takes some milliseconds. */
export async function digestOfSources(web: string): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(web, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(web.length).replaceAll('\\', '/').replace(/^\//, ''))
    .filter((file) => !file.startsWith('.') && !OTHERS.has(file.split('/', 1)[0]!))
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(await readFile(join(web, file)))
      .update('\0')
  // How it is built counts as well.
  hash.update(await readFile(join(web, '..', 'scripts', 'build-web.ts')).catch(() => ''))
  return hash.digest('hex')
}
