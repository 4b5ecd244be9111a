import { resources } from '../../src/http/resource-routes.ts'
import type { Member } from '../../src/http/resources/resource.ts'
import * as forms from '../../src/http/resources/forms.ts'
import { probes } from '../../src/http/probes.ts'
import { routes } from '../../src/http/routes.ts'
import type { Reach, Route } from '../../src/http/routing/route.ts'
import { asAnswer, asCurl, type Page, type PlayedEndpoint } from './play.ts'

/* Pages of docs/reference/, from what was played. */

export const BASE = 'http://localhost:3000'

export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`
export const parametersOf = ({ query, legacyFilter, sparseFields }: Pick<Route, 'query' | 'legacyFilter' | 'sparseFields'>): string[] => [
  ...Object.keys(query),
  ...(legacyFilter ? ['filter[…]'] : []),
  ...(sparseFields ? ['fields[…]'] : []),
]
const shownPath = (route: string): string => route.replaceAll(/\{(\w+)(:text)?\}/g, '<$1>')
/** What GitHub makes of a heading. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')

/** The parameters that several names match. */
const families: Readonly<Record<string, string>> = {
  'fields[…]': 'The attributes to show, separated by commas: `fields[TYPE`.',
  'filter[…]': 'The older form of filters: `filter[f4]=>100`. It cannot be combined with `filter`.',
}

/** What `include` means for records. */
const tokens: Readonly<Record<Reach, string>> = {
  none: 'No token is needed.',
  any: 'Any token.',
  tables: 'Any token. A token that is limited to some tables can use only these.',
  unlimited: 'A token that is not limited to some tables.',
}

const forTypes = new Map<unknown, string>([
  [forms.string, 'string'],
  [forms.integer, 'number'],
  [forms.optionalInteger, 'number or null'],
  [forms.boolean, 'boolean'],
  [forms.flag, '0 or 1'],
  [forms.bound, 'string'],
  [forms.strings, 'array of strings'],
  [forms.idList, 'array of numbers'],
  [forms.textsById, 'object of strings'],
  [forms.optionalIds, 'array of numbers, or null'],
  [forms.options, 'array of `{id, label}`'],
  [forms.fieldRights, 'object'],
  [forms.asIs, 'object or null'],
  [forms.json, 'any'],
  [forms.columns, 'array of `{attribute, width}`'],
])

export function pageOf(page: Page, endpoints: readonly PlayedEndpoint[]): string {
  const toc = endpoints.map(({ endpoint: { title, route } }) => `- [${title}](#${anchorOf(title)}): \`${shownPath(route)}\``)
  return `${[
    '<!-- Written by npm run docs: the requests below were sent, the answers are those that came. -->',
    `# ${page.title}`,
    page.says,
    toc.join('\n'),
    ...(page.attributesOf === undefined ? [] : [attributesOf(page.attributesOf)]),
    ...endpoints.map(endpointOf),
    ...(page.after === undefined ? [] : [page.after]),
  ].join('\n\n')}\n`
}

const faults: string[] = []
const fault = (text: string) => void faults.push(text)

/** @throws an error that names every request whose answer was not the one that its page expects. */
export function mustBeAsExpected(): void {
  if (faults.length > 0) throw new Error(`Answers that the pages of test/reference do not expect:\n${faults.splice(0).join('\n')}`)
}

function attributesOf(type: string): string {
  const members = Object.entries(resources.find((one) => one.type === type)!.members as Readonly<Record<string, Member>>)
  const rows = members.map(([name, { form, set, required, secret, says }]) => [
    `\`${name}\``,
    forTypes.get(form)!,
    [
      set === 'never' ? 'the service' : set === 'once' ? 'on create only' : set === 'later' ? 'on change only' : 'on create and change',
      ...(required ? ['required'] : []),
      ...(secret ? ['never shown'] : []),
    ].join(', '),
    says,
  ])
  return `## Attributes\n\n${table(['attribute', 'JSON', 'set', 'meaning'], rows)}`
}

function endpointOf({ endpoint, shows, refuses }: PlayedEndpoint): string {
  const route = [...routes, ...probes].find((one) => routeName(one) === endpoint.route)!
  const names = parametersOf(route)
  const type = route.path.startsWith('/api/dev/data') ? 'data1' : (route.path.split('/')[3] ?? '')
  const rows = names.map((name) => [
    `\`${name}\``,
    (route.query[name]?.says ?? families[name]!).replace('TYPE', `${type}]=${examples(type)}`),
  ])
  return [
    `## ${endpoint.title}`,
    `\`${shownPath(endpoint.route)}\``,
    ...(/^\w+ (one of|the) /.test(route.says) ? [] : [route.says]),
    ...(endpoint.notes === undefined ? [] : [endpoint.notes]),
    `**Who may:** ${endpoint.who} **Token:** ${tokens[route.token]}`,
    ...(rows.length > 0 ? [table(['parameter', 'meaning'], rows)] : []),
    ...shows.map(({ request, heard }) => {
      if (request.status === undefined ? heard.status >= 300 : heard.status !== request.status)
        fault(`${endpoint.route}, ${request.path}: ${heard.status} ${heard.text}`)
      return [
        ...(request.says === undefined ? [] : [`${request.says}\n`]),
        `\`\`\`sh\n${asCurl(request, BASE)}\n\`\`\`\n`,
        `\`\`\`http\n${asAnswer(heard, request.lines)}\n\`\`\``,
      ].join('\n')
    }),
    ...(refuses.length > 0 ? [refusalsOf(endpoint.route, refuses)] : []),
  ].join('\n\n')
}

/** Two attributes of a type. */
function examples(type: string): string {
  const members = resources.find((one) => one.type === type)?.members
  if (members) return Object.keys(members).slice(0, 2).join(',')
  return type === 'file' ? 'file_name,size' : 'f1,f3'
}

function refusalsOf(route: string, refuses: PlayedEndpoint['refuses']): string {
  const rows = refuses.map(({ when, heard, code }) => {
    const errors = (heard.status >= 400 ? (JSON.parse(heard.text).errors as WireError[]) : []).map(
      ({ status, code: found, source }) =>
        `${status} \`${found}\`${source === undefined ? '' : ` at \`${Object.values(source).join(' ')}\``}`,
    )
    if (!errors.some((error) => error.includes(`\`${code}\``))) fault(`${route}, ${when}: ${heard.status} ${heard.text} instead of ${code}`)
    return [when, errors.join('<br>')]
  })
  return table(['refused when', 'with'], rows)
}

interface WireError {
  readonly status: string
  readonly code: string
  readonly source?: Readonly<Record<string, string>>
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
