import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Block, Chapter, Picture, Span } from '../web/manual/chapter.ts'
import { root } from './setup.mjs'

/* The manual for people (docs/manual): Markdown, of which a build makes parts of the pages, one for each language. */

export const LANGUAGES = ['en', 'ru'] as const
export type Language = (typeof LANGUAGES)[number]

const FOLDER = join(root, 'docs', 'manual')

/** What is used of marked, which is installed with the pages alone. */
interface Token {
  readonly type: string
  readonly text: string
  readonly href: string
  readonly depth: number
  readonly ordered: boolean
  readonly tokens?: readonly Token[]
  readonly items: readonly Token[]
  readonly header: readonly Token[]
  readonly rows: readonly (readonly Token[])[]
}
interface Marked {
  lexer(text: string): readonly Token[]
}

/** The chapters in their order. @throws an Error that names what a page of the manual may not have */
export async function chaptersOf(language: Language, folder = FOLDER): Promise<Chapter[]> {
  const path = createRequire(join(root, 'web', 'package.json')).resolve('marked')
  const { lexer } = (await import(pathToFileURL(path).href)) as Marked
  const files = readdirSync(join(folder, language)).filter((file) => file.endsWith('.md'))
  return files
    .sort((one, other) => Number.parseInt(one) - Number.parseInt(other))
    .map((file) => chapterOf(file, lexer(readFileSync(join(folder, language, file), 'utf8'))))
}

/** Those that `npm run manual` has taken of a language, by name. They are not committed: a build without them has the text alone. */
export function picturesOf(language: Language, folder = FOLDER): ReadonlyMap<string, string> {
  const at = join(folder, language, 'pictures')
  const files = existsSync(at) ? readdirSync(at).filter((file) => file.endsWith('.png')) : []
  return new Map(files.map((file) => [file.slice(0, -'.png'.length), join(at, file)]))
}

/** The module of a language, of which the build makes a part. */
export async function moduleOf(language: Language, folder = FOLDER): Promise<string> {
  const pictures = [...picturesOf(language, folder)]
  const imports = pictures.map(([, path], i) => `import src${i} from ${JSON.stringify(path)}\n`)
  const entries = pictures.map(([name, path], i) => `${JSON.stringify(name)}: { src: src${i}, ${sizeOf(path)} }`)
  return `${imports.join('')}export const chapters = ${JSON.stringify(await chaptersOf(language, folder))}
export const pictures = { ${entries.join(', ')} }\n`
}

/** Width and height stand at the beginning of a PNG, so that the page keeps their room (PNG specification, 11.2.1). */
function sizeOf(path: string): string {
  const bytes = readFileSync(path)
  const { width, height }: Omit<Picture, 'src'> = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return `width: ${width}, height: ${height}`
}

function chapterOf(file: string, tokens: readonly Token[]): Chapter {
  const [title, lead, ...rest] = tokens.filter(({ type }) => type !== 'space')
  if (title?.type !== 'heading' || title.depth !== 1 || lead?.type !== 'paragraph')
    throw new Error(`${file} begins with a title and a line.`)
  return {
    name: file.slice(file.indexOf('-') + 1, -'.md'.length),
    title: title.text,
    lead: lead.text,
    blocks: rest.map((token) => blockOf(token, file)),
  }
}

function blockOf(token: Token, file: string): Block {
  const spans = (one: Token) => (one.tokens ?? []).flatMap((inner) => spanOf(inner, file))
  const [only, ...others] = token.tokens ?? []
  if (token.type === 'heading' && token.depth === 2) return { heading: token.text }
  if (token.type === 'paragraph' && only?.type === 'image' && others.length === 0) return { picture: pictureOf(only, file), alt: only.text }
  if (token.type === 'paragraph') return { text: spans(token) }
  if (token.type === 'list') return { list: token.items.map(spans), isOrdered: token.ordered }
  if (token.type === 'table') return { head: token.header.map(spans), rows: token.rows.map((row) => row.map(spans)) }
  throw new Error(`${file} has what the pages do not show: ${token.type}.`)
}

function pictureOf({ href }: Token, file: string): string {
  const [, name] = /^pictures\/([a-z-]+)\.png$/.exec(href) ?? []
  if (name === undefined) throw new Error(`${file} has a picture that is not in pictures/: ${href}.`)
  return name
}

function spanOf(token: Token, file: string): Span[] {
  // The lines of an item of a list stand one deeper.
  if (token.tokens && (token.type === 'text' || token.type === 'paragraph')) return token.tokens.flatMap((inner) => spanOf(inner, file))
  if (token.type === 'text' || token.type === 'escape') return [token.text.replaceAll('\n', ' ')]
  if (token.type === 'strong') return [{ strong: token.text.replaceAll('\n', ' ') }]
  if (token.type === 'em') return [{ em: token.text }]
  if (token.type === 'codespan') return [{ code: token.text }]
  throw new Error(`${file} has what the pages do not show: ${token.type}.`)
}
