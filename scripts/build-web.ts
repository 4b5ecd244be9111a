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
import { LANGUAGES, moduleOf } from './manual.ts'
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
  json: 'application/json',
  png: 'image/png',
}

/** They are compressed already. */
const PICTURES = /\.png$/

/** What is used of Vite, whose types are installed with the pages alone. */
interface Vite {
  build(settings: object): Promise<unknown>
}

/** The only part whose name does not change with its content. */
const WORKER = 'assets/service-worker.js'

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
  // Another build may take its own away meanwhile.
  const age = (name: string) => Date.now() - (statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
  for (const name of readdirSync(cache).filter((name) => name.startsWith('web-') && age(name) > 3_600_000))
    rmSync(join(cache, name), { recursive: true, force: true })
}

async function bundle(outDir: string): Promise<void> {
  const vite = (await import(pathToFileURL(createRequire(join(web, 'package.json')).resolve('vite')).href)) as Vite
  await vite.build({
    root: web,
    configFile: false,
    logLevel: 'error',
    plugins: [manual(), licences(), partsOfWorker()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // All of it is a file of its own: the policy of the page allows nothing within it.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rollupOptions: {
        input: { index: join(web, 'index.html'), 'service-worker': join(web, 'api', 'service-worker.ts') },
        // Browsers ask for it again at the same address.
        output: { entryFileNames: ({ name }: { name: string }) => (name === 'service-worker' ? WORKER : 'assets/[name]-[hash].js') },
      },
    },
  })
}

/** Writes into the service worker (web/api/service-worker.ts) which parts there are: those with a name made of their content. */
function partsOfWorker(): object {
  return {
    name: 'parts-of-worker',
    enforce: 'post',
    generateBundle(_: object, bundle: Record<string, { code?: string }>): void {
      const parts = Object.keys(bundle).filter((name) => /^assets\/.+-[\w-]{8}\.\w+$/.test(name) && !PICTURES.test(name)) // prettier-ignore
      const worker = bundle[WORKER]!
      if (!worker.code?.includes('__PARTS__')) throw new Error('The service worker has no place for the parts.')
      worker.code = worker.code.replaceAll('__PARTS__', JSON.stringify(parts.sort()))
    },
  }
}

interface Chunk {
  readonly moduleIds?: readonly string[]
}

/** `virtual:manual-en` and `virtual:manual-ru`: the manual in a language, with the pictures that there are. */
function manual(): object {
  const ids = new Map(LANGUAGES.map((language) => [`virtual:manual-${language}`, language]))
  return {
    name: 'manual',
    resolveId: (id: string) => (ids.has(id) ? `\0${id}` : undefined),
    load(id: string) {
      const language = ids.get(id.slice(1))
      return language && moduleOf(language)
    },
  }
}

/** Writes beside the pages what they and the service are made of, with the licences (web/admin/licences-page.tsx). */
function licences(): object {
  return {
    name: 'licences',
    generateBundle(this: { emitFile(file: object): void }, _: object, bundle: Readonly<Record<string, Chunk>>): void {
      const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds)
      const folders = (paths: readonly string[]) => [...new Set(paths)].sort()
      const all = [
        ...folders(packagesOfService()).map((folder) => licenceOf(folder, 'service')),
        ...folders(modules.flatMap(packageOf)).map((folder) => licenceOf(folder, 'pages')),
      ]
      const icons = /\/\*([^]*?)\*\//.exec(readFileSync(join(web, 'ui', 'icons.css'), 'utf8'))?.[1]?.trim()
      const lucide = { name: 'Lucide', version: '', licence: 'ISC', text: icons, of: 'pages' }
      const source = JSON.stringify([...all.filter((one) => one !== undefined), lucide])
      this.emitFile({ type: 'asset', fileName: 'assets/licences.json', source })
    },
  }
}

/** The folder of the package that a module is in. */
function packageOf(module: string): string[] {
  const [, folder] = /^\0?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replaceAll('\\', '/')) ?? []
  return folder === undefined ? [] : [folder]
}

/** What is installed to run the service, not to develop it. */
function packagesOfService(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: true }> }
  return Object.entries(lock.packages).flatMap(([path, { dev }]) => (path === '' || dev ? [] : [join(root, path)]))
}

/** Undefined for a package that this machine does not need. */
function licenceOf(folder: string, of: 'service' | 'pages'): object | undefined {
  if (!existsSync(join(folder, 'package.json'))) return undefined
  const { name, version, license = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(one))
  return { name, version, licence: license?.type ?? license, text: file ? readFileSync(join(folder, file), 'utf8') : '', of }
}

/** Compresses the parts, and writes down what there is. */
function finish(folder: string, sources: string): void {
  const parts: Record<string, Built['parts'][string]> = {}
  for (const file of readdirSync(join(folder, 'assets')).sort()) {
    const media = MEDIA[file.slice(file.lastIndexOf('.') + 1)]
    if (media === undefined) throw new Error(`No media type is known for ${file}.`)
    if (PICTURES.test(file)) {
      parts[`assets/${file}`] = { media, encodings: [] }
      continue
    }
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
