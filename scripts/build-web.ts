/*
 * npm run build: builds the web pages of web/ into web/dist, compressed and with names made of their content. `npm start` does it where they are
 * not there or not those of the sources.
 *
 * It builds in a folder beside and moves it into place whole: a build that is cut short, or two at once, leave nothing half done.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { BUILT, DIST, digestOfSources, filesOf, type Built } from '../src/app/web-sources.ts'
import { ensureWeb, orExplain, root } from './setup.mjs'

const ENCODINGS = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 9 }),
} as const

const MEDIA: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
}

/** What is used of Vite, whose types are installed with the pages alone. */
interface Vite {
  build(settings: object): Promise<unknown>
}

const web = join(root, 'web')
await build()

async function build(): Promise<void> {
  const sources = await digestOfSources(web)
  if (isBuilt(sources)) return
  orExplain(() => ensureWeb({ development: false }))
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true })
  sweep(cache)
  const stage = mkdtempSync(join(cache, 'web-'))
  try {
    await bundle(join(stage, DIST))
    finish(join(stage, DIST), sources)
    moveIntoPlace(stage, sources)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** What builds that were cut short have left. */
function sweep(cache: string): void {
  const isOld = (name: string) => name.startsWith('web-') && Date.now() - statSync(join(cache, name)).mtimeMs > 3_600_000
  for (const name of readdirSync(cache).filter(isOld)) rmSync(join(cache, name), { recursive: true, force: true })
}

async function bundle(outDir: string): Promise<void> {
  const vite = (await import(pathToFileURL(createRequire(join(web, 'package.json')).resolve('vite')).href)) as Vite
  await vite.build({
    root: web,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // All of it is a file of its own: the policy of the page allows nothing within it.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
}

/** Compresses the parts, and writes down what there is. */
function finish(folder: string, sources: string): void {
  const parts: Record<string, Built['parts'][string]> = {}
  for (const file of readdirSync(join(folder, 'assets')).sort()) {
    const media = MEDIA[file.slice(file.lastIndexOf('.') + 1)]
    if (media === undefined) throw new Error(`No media type is known for ${file}.`)
    const bytes = readFileSync(join(folder, 'assets', file))
    for (const [name, encode] of Object.entries(ENCODINGS)) writeFileSync(join(folder, 'assets', `${file}.${name}`), encode(bytes))
    parts[`assets/${file}`] = { media, encodings: Object.keys(ENCODINGS) }
  }
  writeFileSync(join(folder, BUILT), JSON.stringify({ sources, parts } satisfies Built))
}

/** Whether all of it is there. */
function isBuilt(sources: string): boolean {
  try {
    const built = JSON.parse(readFileSync(join(web, DIST, BUILT), 'utf8')) as Built
    return built.sources === sources && filesOf(built).every((file) => existsSync(join(web, DIST, file)))
  } catch {
    return false
  }
}

/** Another build may be done first: what it has made of the same sources is left. */
function moveIntoPlace(stage: string, sources: string): void {
  for (let attempt = 1; !isBuilt(sources); attempt++) {
    try {
      rmSync(join(stage, 'replaced'), { recursive: true, force: true })
      try {
        renameSync(join(web, DIST), join(stage, 'replaced'))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
      renameSync(join(stage, DIST), join(web, DIST))
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
}
