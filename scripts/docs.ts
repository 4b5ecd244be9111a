/*
 * The pages of docs/ that say what the tables of the source say. `npm run docs` writes them; with --check (a part of
 * npm run check) it only says which differ.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { settings } from '../src/config.ts'
import { structureSchema } from '../src/documents/structure/document.ts'
import { errorCatalogue, fail, type ErrorCode } from '../src/errors.ts'
import { plain, type FieldType } from '../src/fields/field-type.ts'
import { fieldTypes } from '../src/fields/index.ts'
import { combining, filterFunctions } from '../src/filter/functions.ts'
import { probes } from '../src/http/probes.ts'
import { routes } from '../src/http/routes.ts'
import { limitsPage } from '../test/limits/page.ts'
import { parametersOf } from '../test/reference/write.ts'
import { placeOf, referencePages } from '../test/reference/pages.ts'

const folder = new URL('../docs/', import.meta.url)
const pages: Readonly<Record<string, () => string>> = {
  'errors.md': errors,
  'fields.md': fields,
  'filters.md': filters,
  'settings.md': settingsPage,
  'endpoints.md': endpoints,
  'limits.md': () => limitsPage(read(new URL('limits.md', folder)) ?? ''),
  'structure.schema.json': () => `${JSON.stringify(structureSchema, null, 2)}\n`,
  '../ARCHITECTURE.md': architecture,
}

const reference = Object.entries(await referencePages()).map(([file, text]) => ({ file: `reference/${file}`, text }))
const written = [...Object.entries(pages).map(([file, build]) => ({ file, text: build() })), ...reference].map((one) => ({
  ...one,
  place: new URL(one.file, folder),
}))
if (process.argv.includes('--check')) {
  const stale = written.filter(({ place, text }) => read(place) !== text).map(({ file }) => `docs/${file}`.replace('docs/../', ''))
  if (stale.length > 0) console.log(`${stale.join(', ')} not as the source has it; run npm run docs.`)
  // Links, numbers of rules and decisions, citations: in a second, and not only at the end of all tests.
  const tests = ['links', 'citations'].map((name) => `test/architecture/${name}.test.ts`)
  const held = spawnSync(process.execPath, ['--test', ...tests], { cwd: new URL('../', import.meta.url), encoding: 'utf8' })
  if (held.status !== 0) console.log(held.stdout)
  process.exitCode = stale.length > 0 || held.status !== 0 ? 1 : 0
} else {
  mkdirSync(new URL('reference/', folder), { recursive: true })
  for (const { place, text } of written) writeFileSync(place, text)
}

/** The page as it is, with its two pictures of what imports what drawn anew: the layers, then the rooms of the store. */
function architecture(): string {
  const page = readFileSync(new URL('../ARCHITECTURE.md', folder), 'utf8')
  const pictures = [picture('^src', '^src/[^/]+'), picture('^src/store/', '^src/store/[^/]+')]
  return page.replace(/```mermaid\n[^]*?```/g, () => pictures.shift()!)
}

/** What matches `only`, one box for all that has the same beginning, as `folded` matches it. */
function picture(only: string, folded: string): string {
  const tool = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'
  const options = ['--config', 'dependency-rules.cjs', '--include-only', only, '--collapse', folded, '--output-type', 'mermaid']
  const drawn = spawnSync(process.execPath, [tool, ...options, 'src'], { cwd: new URL('../', import.meta.url), encoding: 'utf8' })
  if (drawn.status !== 0) throw new Error(drawn.stderr)
  return `\`\`\`mermaid\n${drawn.stdout.trim()}\n\`\`\``
}

function errors(): string {
  const rows = (Object.keys(errorCatalogue) as ErrorCode[]).sort().map((code) => {
    const { status, title, retryAfter } = errorCatalogue[code]
    const seconds = typeof retryAfter === 'function' ? '…' : String(retryAfter ?? '')
    return [`\`${code}\``, String(status), title, sentence(code), seconds]
  })
  return page(
    'Errors',
    'All errors with which a request can be answered. The answer is a JSON:API error document. `code` never changes. `…` stands for text that differs. `source` names the place of the fault in the request. `Retry-After` has the seconds after which the same request may be sent again; without it, time alone does not help.',
    table(['code', 'status', 'title', 'detail', 'Retry-After'], rows),
  )
}

function fields(): string {
  const rows = fieldTypes.map((type) => [
    `\`${type.name}\``,
    type.says,
    code(empty(type)),
    type.settings.map((one) => code(snakeCase(one))).join(' '),
  ])
  return page(
    'Field types',
    'Values are strings in answers. Every field also has `field_name`, `required`, `unique`, `default_value`, `sequence_number` and `hint`.',
    table(['field_type', 'what it holds', 'empty value', 'settings of its own'], rows),
    ...fieldTypes.map(examplesOf),
  )
}

function filters(): string {
  const values = { value: 'value', bound: 'value', part: 'text', member: 'member', empty: '' }
  const forms = {
    'no value': () => [],
    'one value': (v: string) => [v],
    'one or more values': (v: string) => [v, v, '…'],
    'a lower and an upper value': () => ['lower', 'upper'],
  }
  const rows = Object.entries(filterFunctions).map(([name, { takes, of, on, says }]) => [
    code(`${name}(${['attribute', ...forms[takes](values[of])].join(', ')})`),
    says,
    on.length === 5 ? 'all' : on.join(', '),
  ])
  const kinds = Object.entries(Object.groupBy(fieldTypes, (type) => type.kind)).map(([kind, types]) => [
    kind,
    types.map(({ name }) => code(name)).join(' '),
  ])
  return page(
    'Filter functions',
    "Write names of attributes without quotes, and values in single quotes (`''` is one quote). Numbers can be written without quotes. Texts are compared ignoring case, and `ё` equals `е`.",
    table(['function', 'selects records where the attribute is', 'kinds of field'], rows),
    table(
      ['combining', 'selects records where'],
      Object.entries(combining).map(([name, says]) => [code(name), says]),
    ),
    "`search('anna porto')` has no attribute. Each word must be the beginning of a word in some attribute that a response shows, in any order. A word is a run of letters and digits, so `example` finds `anna@example.com`. Lists are searched by their labels, references, users and groups by their ids, and a phone by all its digits: with `KARTOTEKA_PHONE_COUNTRY`, by those of its international form, and from the beginning in any way of writing. The last digits of a phone, those of an extension among them, find it too, if they are four or more: `4567`, `123-45-67`.",
    table(
      ['word', 'stands for'],
      [
        [code('current_user'), 'the id of the user who sends the request'],
        [code('today'), 'the present day in the time zone of the installation, for attributes with a date or a time (then: 00:00:00)'],
        [code('now'), 'the present second; for a date, the present day'],
        [code('month') + ' ' + code('year'), 'the first day of the present month or year'],
        [
          `${code('week')} ${code('week_sunday')} ${code('week_saturday')} ${code('week_friday')}`,
          'the first day of the present week, which begins on Monday, or on the day of its name',
        ],
        [
          `${code('today-30')} ${code('now+1')}`,
          'so many days earlier or later; of a week, month or year so many of these: `and(gte(f7,month-1),lt(f7,month))` is the last month. In an address, write `+` as `%2B`. The moment is the same for the whole request',
        ],
      ],
    ),
    "`f12.f3` is the attribute `f3` of the record that the reference `f12` names: `eq(f12.f3,'Porto')`. No function holds for a record whose reference names no record, or one that the user may not read; `not(…)` selects such records. At most 8 such functions in a filter, and none in filters of groups, webhooks and events.",
    table(['kind', 'field types'], kinds),
  )
}

function settingsPage(): string {
  const rows = Object.values(settings).map(({ flag, variable, byDefault, help }) => [code(flag), code(variable), code(byDefault), help])
  return page(
    'Settings',
    'Settings of the service; those of users are [another thing](reference/settings.md). A flag overrides its environment variable, and the variable overrides the default.',
    'Any other variable `KARTOTEKA_…` stops the start, since it is a setting spelled wrong; except `KARTOTEKA_URL` and `KARTOTEKA_TOKEN`, which are those of [programs](guides/clients.md), and mean nothing here.',
    table(['flag', 'variable', 'default', 'meaning'], rows),
  )
}

function endpoints(): string {
  const rows = [...routes, ...probes].map((route) => [
    route.method,
    `[${code(route.path.replaceAll(/\{(\w+)(:text)?\}/g, '<$1>'))}](${placeOf(route)})`,
    route.says,
    parametersOf(route).map(code).join(' '),
    route.token,
  ])
  return page(
    'Endpoints',
    'Each path links to a page of the reference, with example requests and answers.',
    'The column "token" says which token a request needs in the header `X-Auth-Token`; none: no token. any: any token. tables: any token, but a token that is limited to some tables can use only these. unlimited: a token that is not limited to some tables. The type of bodies is `application/vnd.api+json`, unless the page of the endpoint shows another one. A [link](guides/files.md#links) reads a file without a token.',
    table(['method', 'path', 'what it does', 'parameters', 'token'], rows),
  )
}

/** The detail with `…` for its parameters. */
function sentence(of: ErrorCode): string {
  const anything = new Proxy({}, { get: (_, name) => (name === 'extension' && of === 'request.wrong_media_type' ? undefined : '…') })
  return fail(of, anything as never).message
}

function examplesOf(type: FieldType): string {
  const rows = type.examples.map(([sent, returned]) => [json(sent), json(returned)])
  const refused = type.rejects.length > 0 ? `\n\nRefused: ${type.rejects.map((text) => code(json(text))).join(' ')}` : ''
  const settings = type.exampleSettings ? `With ${code(asSent(type.exampleSettings))}:\n\n` : ''
  return `## ${type.name}\n\n${type.says}\n\n${settings}${table(
    ['sent', 'returned'],
    rows.map((row) => row.map(code)),
  )}${refused}`
}

/** Settings under the names people send. */
function asSent(settings: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(settings).map(([name, value]) => [snakeCase(name), value])))
}

function empty(type: FieldType): string {
  return json(type.format(type.empty, { ...plain, ...type.exampleSettings }))
}

function page(title: string, ...parts: readonly string[]): string {
  return `<!-- Written by npm run docs. -->\n\n# ${title}\n\n${parts.join('\n\n')}\n`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Text as JSON, shortened where it is long, so that line breaks and strange characters show. */
function json(text: string): string {
  const shown = text.length > 40 ? `${text.slice(0, 24)}… (${text.length} characters)` : text
  return JSON.stringify(shown).replace(
    /[\u007f-\u00a0\u200b-\u200f\u2028\u2029\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function code(text: string): string {
  if (text === '') return ''
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function read(place: URL): string | undefined {
  try {
    return readFileSync(place, 'utf8')
  } catch {
    return undefined
  }
}
