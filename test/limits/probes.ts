import { ATOMIC } from '../../src/http/routing/operations.ts'
import { limits, type LimitName } from '../../src/limits.ts'
import type { Place } from './place.ts'

/*
 * The worst that can be sent at each limit. A row of src/limits.ts without one does not compile: add it here, with the worst request you
 * can think of, or with the reason why no single request meets the limit.
 */

export interface Sending {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Without a token: the bar is then 10 ms. */
  readonly open?: boolean
}

export interface Measured {
  /** Each of them is the worst for something; `size` is the limit, or one more. */
  readonly sent: (place: Place, size: number) => readonly Sending[]
  /** What exceeds the limit and nothing else, where that is not the same with one more. */
  readonly beyond?: (place: Place, size: number) => readonly Sending[]
  /** How many clients send it at once. */
  readonly clients?: number
}

export type Probe = Measured | { readonly unmeasured: string }

const get = (path: string): Sending => ({ method: 'GET', path: `/api/dev/${path}` })
const post = (path: string, body: unknown, more: Partial<Sending> = {}): Sending => ({
  method: 'POST',
  path: `/api/dev/${path}`,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})
const list = ({ type }: Place, filter: string): Sending => get(`${type}?filter=${encodeURIComponent(filter)}`)
const search = ({ type }: Place, filter: string): Sending => post(`${type}/search`, { meta: { filter } })
const make = ({ type, field }: Place, value: unknown, name: keyof Place['field'] = 'longtext'): Sending =>
  post(type, { data: { type, attributes: { [field.text]: 't', [field[name]]: value } } })
const newField = ({ table }: Place, attributes: object): Sending =>
  post('field', { data: { type: 'field', attributes: { table_id: table, field_name: 'new', field_type: 'longtext', ...attributes } } })
const newView = ({ table }: Place, columns: object[]): Sending =>
  post('view', { data: { type: 'view', attributes: { table_id: table, view_name: 'x', columns } } })
const signIn = (login: string, password = 'x'): Sending =>
  post('token', { data: { type: 'token', attributes: { login, password } } }, { open: true })
/** A document without a token; `more`: what follows the type. */
const openPost = (path: '' | '/redeem', more: string): Sending =>
  path === ''
    ? post('token', `{"data":{"type":"token",${more}}}`, { open: true })
    : post('invitation/redeem', `{"data":{"type":"invitation",${more}}}`, { open: true })
const user = (login: string, password: string): Sending =>
  post('user', { data: { type: 'user', attributes: { fio: 'x', login, password, group_id: 3 } } })
const many = (count: number, one: (n: number) => string): string => Array.from({ length: count }, (_, n) => one(n)).join(',')
/** A body of so many bytes. */
const filled = (before: string, size: number, after: string, piece = 'x'): string =>
  before + piece.repeat(Math.max(0, Math.floor((size - before.length - after.length) / Buffer.byteLength(piece)))) + after
/** A document with a file: so many bytes besides its content, and with it. */
function withFile({ type, field }: Place, besides: number, bytes: number, piece = 'QUJD', binary = true): Sending {
  const attributes = `"${field.longtext}":"","${field.file}":[{"file_name":"a","binary":${binary},"content":"`
  const [before, after] = [`{"meta":"`, `","data":{"type":"${type}","attributes":{${attributes}`]
  const end = '"}]}}}'
  const start = filled(before, besides - end.length, after)
  return post(type, start + piece.repeat(Math.floor((bytes - start.length - end.length) / piece.length / 4) * 4) + end)
}
/** As many values as a filter may have. */
const anyOf = (field: string, value: (n: number) => string): string =>
  `or(${many(10, (k) => `in(${field},${many(1_000, (n) => `'${value(k * 1_000 + n)}'`)})`)})`
const marked = (count: number): string => `a${'\u0301'.repeat(count)}`
const nested = (depth: number, inside: string): string => 'not('.repeat(depth - 1) + inside + ')'.repeat(depth - 1)

const [before, after] = ['{"data":{"type":"token","attributes":{"login":"', '","password":"x"}}}']
const elsewhere = (why: string): Probe => ({ unmeasured: why })
const together = 'not measured: it limits many requests together; see the test and npm run soak'
const stored = 'not measured: it limits what many requests store'
const byTime = 'not measured: it limits a time'
const outgoing = 'not measured: it limits the answer to a request that the service sends'

/** Filters of so many functions, each of which compares all options of the list, and the empty one. */
function comparing({ type, field }: Place['options'], functions: number): readonly Sending[] {
  const filter = (one: (n: number) => string) => post(`${type}/search`, { meta: { filter: `or(${many(functions, one)})` } })
  return [
    filter((n) => `contains(${field},'${'ё'.repeat(200)}${n}')`),
    filter((n) => `contains(${field},'${'ё'.repeat(limits.optionLabel.most - 1)}${n}')`),
    filter((n) => `ends_with(${field},'${n}')`),
  ]
}

/** Rows that are about to come. */
const later = {
  header: {
    sent: (_: Place, size: number) => [{ ...get('me'), headers: { 'X-Auth-Token': 'x'.repeat(size - 14) } }],
    beyond: (_: Place, size: number) => [{ ...get('table'), headers: { 'X-Auth-Token': 'x'.repeat(size) } }],
  },
  idempotencyKey: {
    sent: (place: Place, size: number) => [{ ...make(place, 'x'), headers: { 'Idempotency-Key': 'k'.repeat(size) } }],
  },
  body: {
    sent: (place: Place, size: number) => [
      post(place.type, filled(`{"data":{"type":"${place.type}","attributes":{"${place.field.longtext}":"`, size, '"}}}')),
      post(place.type, filled('{"data":[', size, '{}]}', '{},')),
      post(place.type, filled(`{"data":{"type":"${place.type}","attributes":{"${place.field.longtext}":"`, size, '"}}}', 'a\u0301')),
    ],
    beyond: (_: Place, size: number) => [post('table', filled('{"data":{"type":"table","attributes":{"table_name":"', size, '"}}}'))],
  },
  bodyBesides: {
    sent: (place: Place, size: number) => [withFile(place, size, 2 * size)],
    beyond: (place: Place, size: number) => [withFile(place, size, 2 * size)],
  },
  jsonDepth: { sent: (place: Place, size: number) => [post(place.type, `${'{"data":'.repeat(size - 1)}{}${'}'.repeat(size - 1)}`)] },
  jsonMembers: {
    sent: (place: Place, size: number) => [
      post(place.type, `{"data":{"type":"${place.type}","attributes":{${many(size, (n) => `"g${n}":1`)}}}}`),
    ],
  },
  jsonValues: { sent: (place: Place, size: number) => [post(place.type, `{"data":[${many(size - 2, () => '1')}]}`)] },
  jsonLongNumbers: {
    sent: (place: Place, size: number) => [make(place, 0), post(place.type, `{"data":[${many(size, (n) => `1234567890123456${n}`)}]}`)],
    beyond: (place: Place, size: number) => [post(place.type, `{"data":[${many(size, (n) => `1234567890123456${n}`)}]}`)],
  },
  marks: {
    sent: (place: Place, size: number) => [
      make(place, marked(size).repeat(5_000)),
      list(place, `eq(${place.field.text},'${marked(size)}')`),
    ],
  },
  attributes: {
    sent: (place: Place, size: number) => [
      post(place.type, `{"data":{"type":"${place.type}","attributes":{${many(size, (n) => `"g${n}":1`)}}}}`),
    ],
  },
  openJsonMembers: {
    sent: (_: Place, size: number) => [
      openPost('', `"attributes":{${many(size, (n) => `"g${n}":1`)}}`),
      openPost('/redeem', `"attributes":{${many(size, (n) => `"g${n}":1`)}}`),
      openPost('', `"meta":{${many(size, (n) => `"g${n}":{"a":1}`)}}`),
    ],
    // More attributes were always refused.
    beyond: (_: Place, size: number) => [openPost('', `"meta":{${many(size, (n) => `"g${n}":1`)}}`)],
  },
  openJsonLongNumbers: {
    sent: (_: Place, size: number) => [
      openPost('', `"attributes":{"tables":[${many(size, (n) => `1234567890123456${n}`)}]}`),
      openPost('', `"attributes":{"tables":[${many(size, (n) => `${n}.${'1'.repeat(390)}e300`)}]}`),
      openPost('', `"attributes":{"tables":[${many(size, () => `0.${'0'.repeat(390)}1e-300`)}]}`),
    ],
  },
  openJsonValues: {
    sent: (_: Place, size: number) => [
      openPost('', `"attributes":{"tables":[${many(size - 5, (n) => `${n}`)}]}`),
      openPost('', `"meta":[${many((size - 5) / 2, () => '{}')}]`),
      openPost('', `"meta":[${many(39, (n) => `{${many(49, (k) => `"${n}-${k}":1`)}}`)}]`),
    ],
  },
  login: {
    sent: (_: Place, size: number) => [signIn('x'.repeat(size)), signIn('ё\u0308'.repeat(size / 2))],
    beyond: (_: Place, size: number) => [user('x'.repeat(size), 'a password')],
  },
  password: {
    sent: (_: Place, size: number) => [signIn('nobody', 'x'.repeat(size))],
    beyond: (_: Place, size: number) => [user('somebody', 'x'.repeat(size))],
  },
  ids: { sent: (place: Place, size: number) => [make(place, `-${many(size, (n) => String(n + 1)).replaceAll(',', '-')}-`, 'references')] },
  listMembers: {
    sent: ({ table }: Place, size: number) => [
      post('field', {
        data: {
          type: 'field',
          attributes: {
            table_id: table,
            field_name: 'many',
            field_type: 'multilist',
            options: Array.from({ length: size }, (_, n) => `option ${n}`),
          },
        },
      }),
    ],
  },
  bodiesInFlight: elsewhere(together),
  errors: elsewhere('not measured here: see the answer with 1,000 errors at the limit of attributes'),
  answer: elsewhere('not measured: an answer of this size takes minutes; the test sets a lower limit'),
  record: elsewhere('not measured: it takes many requests to fill a record; a change of one field does not read the others'),
  hint: { sent: (place: Place, size: number) => [newField(place, { hint: 'ё'.repeat(size) })] },
  fieldDefault: { sent: (place: Place, size: number) => [newField(place, { default_value: 'ё'.repeat(size) })] },
  title: elsewhere('not measured: a deletion reads no more of a title'),
  noted: elsewhere(stored),
  answersOnDisk: elsewhere(together),
  unreadAnswers: elsewhere(together),
  longAnswers: elsewhere(together),
  longAnswersWaiting: elsewhere(together),
  pageInMemory: elsewhere('see a page of long texts, below'),
  connections: elsewhere(together),
  connectionsOfAddress: elsewhere(together),
  pipelined: elsewhere(together),
  filtersPerUser: elsewhere(stored),
  sharedFilters: elsewhere(stored),
  viewsPerUser: elsewhere(stored),
  sharedViews: elsewhere(stored),
  settingsPerUser: elsewhere(stored),
  sessionIdle: elsewhere('not measured: it is a time'),
  tokensPerUser: elsewhere(stored),
  signInsPerUser: elsewhere(stored),
  accessRules: elsewhere(stored),
  categories: elsewhere(stored),
  fields: elsewhere(stored),
  fieldsPerTable: elsewhere(stored),
  groups: elsewhere(stored),
  tables: elsewhere(stored),
  users: elsewhere(stored),
  passwords: elsewhere(together),
  passwordsWaiting: elsewhere(together),
  options: elsewhere(stored),
  filterValues: {
    sent: (place: Place, size: number) => {
      const part = Math.ceil(size / 11)
      const parts = Array.from({ length: 11 }, (_, n) => Math.min(part, size - n * part))
      return [search(place, `or(${parts.map((count) => `in(${place.field.text},${many(count, (n) => `'ё${n}'`)})`).join(',')})`)]
    },
  },
  filterOptions: {
    sent: ({ options }: Place, size: number) => comparing(options, Math.floor(size / (limits.optionsPerField.most + 1))),
    beyond: ({ options }: Place, size: number) => comparing(options, Math.ceil(size / limits.optionsPerField.most)),
  },
  jsonNumber: {
    sent: (place: Place, size: number) => [
      post(place.type, `{"data":{"type":"${place.type}","attributes":{"${place.field.decimal}":${'1'.repeat(size)}}}}`),
      post(place.type, `{"data":[${many(2_000, () => `${'1'.repeat(size)}`)}]}`),
    ],
  },
  answerBytes: elsewhere(stored),
  answerBytesPerUser: elsewhere(stored),
  answers: elsewhere(stored),
  answersPerUser: elsewhere(stored),
  optionsPerField: elsewhere(together),
  operations: {
    sent: ({ type, field }: Place, size: number) => {
      const data = { type, attributes: { [field.text]: 't' } }
      const operations = Array.from({ length: size }, () => ({ op: 'add', data }))
      return [
        post(
          'operations',
          { 'atomic:operations': operations },
          { headers: { 'Content-Type': `application/vnd.api+json;ext="${ATOMIC}"` } },
        ),
      ]
    },
  },
  affectedListed: elsewhere('not measured: what it reads is bounded by other limits'),
  copiedRecords: elsewhere('not measured: the request writes many records; see the test'),
  bulkRecords: elsewhere('not measured: each request changes many records; see the test'),
  operationResults: elsewhere('see atomic operations'),
  aggregateFunctions: {
    sent: ({ type, field: { decimal, datetime } }: Place, size: number) => {
      const amounts = [decimal, 'id', 'status'].flatMap((name) => ['sum', 'avg', 'min', 'max'].map((fn) => `${fn}:${name}`))
      const times = [datetime, 'add_time'].flatMap((name) => ['min', 'max'].map((fn) => `${fn}:${name}`))
      return [get(`${type}/aggregate?function=${['count', ...amounts, ...times].slice(0, size).join(',')}&groupBy=add_time:week`)]
    },
  },
  aggregateGroups: elsewhere('not measured: the table of the measurements has fewer records; see the test'),
  quickReads: elsewhere(together),
  quickReadsOfUser: elsewhere(together),
  slowReads: elsewhere(together),
  slowReadsOfUser: elsewhere(together),
  servingTexts: elsewhere('see a search through long texts, below'),
  servingMoment: elsewhere(byTime),
  writingMoment: elsewhere(byTime),
  uploadPart: elsewhere(byTime),
  uploads: elsewhere(together),
  uploadsOfUser: elsewhere(together),
  thumbnailBytes: elsewhere(stored),
  thumbnailPixels: elsewhere(stored),
  thumbnailTime: elsewhere(byTime),
  thumbnailsWaiting: elsewhere(together),
  thumbnailsOfUser: elsewhere(together),
  headersTime: elsewhere(byTime),
  requestTime: elsewhere(byTime),
  stall: elsewhere(byTime),
  refusedSender: elsewhere(byTime),
  webhooksPerUser: elsewhere(stored),
  webhooks: elsewhere(stored),
  jobsWaiting: elsewhere(stored),
  jobsOfUser: elsewhere(stored),
  jobInput: elsewhere(stored),
  jobs: elsewhere(together),
  webhookQueue: elsewhere(stored),
  webhookDeliveries: elsewhere(stored),
  webhookAttempts: elsewhere(outgoing),
  webhookAttemptsOfOne: elsewhere(outgoing),
  webhookBody: elsewhere(outgoing),
  webhookConnect: elsewhere(byTime),
  webhookTime: elsewhere(byTime),
  webhookAnswer: elsewhere(outgoing),
  webhookWait: elsewhere(byTime),
  s3Connect: elsewhere(byTime),
  s3Stall: elsewhere(byTime),
  s3Attempts: elsewhere(byTime),
  s3Error: elsewhere(outgoing),
  s3Page: elsewhere(outgoing),
}

export const probes: Readonly<Record<LimitName, Probe>> = {
  ...later,
  headers: {
    sent: (_, size) => [
      {
        ...get('hello/x'),
        open: true,
        headers: Object.fromEntries(Array.from({ length: 16 }, (__, n) => [`X-Pad-${n}`, 'x'.repeat(size / 16 - 16)])),
      },
      { ...get(`hello/${'x'.repeat(7_000)}`), open: true },
    ],
    beyond: (_, size) => [{ ...get('hello/x'), open: true, headers: { 'X-Pad': 'x'.repeat(size) } }],
  },
  openBody: {
    sent: (_, size) => [
      post('token', filled(before, size, after), { open: true }),
      post('token', filled(before, size, after, '\u0301'), { open: true }),
      post('token', filled('{"data":{"attributes":{"login":0.', size, '1}}}', '0'), { open: true }),
      post('token', filled('{"data":[', size, '1]}', '{},'), { open: true }),
      post('token', filled('', size, '', '{"a":'), { open: true }),
    ],
  },
  filter: {
    sent: (place, size) => [
      list(place, filled(`or(eq(${place.field.text},'x'),`, size, `eq(status,0))`, `eq(${place.field.text},'ё'),`)),
      list(place, filled(`in(${place.field.decimal},`, size, '1)', '9,')),
    ],
    beyond: (place, size) => [list(place, filled(`eq(${place.field.text},'`, size, `')`))],
  },
  postedFilter: {
    sent: (place) => [
      search(
        place,
        anyOf(place.field.text, (n) => String(n).padStart(50, 'ё')),
      ),
      search(
        place,
        anyOf(place.field.text, (n) => n + 'ё\u0308'.repeat(23)),
      ),
      search(
        place,
        anyOf(place.field.text, (n) => n + '𐐀'.repeat(23)),
      ),
      search(place, `in(${place.field.text},${many(540, (n) => `'${"''".repeat(950) + n}'`)})`),
      search(
        place,
        anyOf(place.field.datetime, (n) => `2024-05-01T01:${10 + (n % 50)}:00+03:00`),
      ),
      search(
        place,
        anyOf(place.field.references, () => `-${'1-'.repeat(48)}`),
      ),
      search(place, `or(${many(1_000 / 2 - 1, (n) => `starts_with(${place.field.text},'${'𐐀'.repeat(510)}${n}')`)})`),
    ],
    beyond: (place, size) => [search(place, filled(`eq(${place.field.text},'`, size, `')`))],
  },
  filterDepth: { sent: (place, size) => [list(place, nested(size, `contains(${place.field.longtext},'a')`))] },
  filterSteps: {
    sent: ({ field, ...place }, size) => [
      list({ field, ...place }, `or(${many(size, (n) => `contains(${field.reference}.${field.longtext},'nothing ${n}')`)})`),
    ],
  },
  functionsPerFilter: {
    sent: (place, size) => [search(place, `or(${many(size - 1, (n) => `contains(${place.field.longtext},'nothing ${n}')`)})`)],
  },
  filterValue: {
    sent: (place, size) => [
      list(place, `contains(${place.field.longtext},'${'a'.repeat(size - 1)}b')`),
      list(place, `ends_with(${place.field.text},'${'ё'.repeat(size)}')`),
      list(place, `eq(${place.field.decimal},0.${'0'.repeat(size - 2)})`),
    ],
  },
  sortAttributes: { sent: (place, size) => [get(`${place.type}?sort=${[...place.names, ...place.names].slice(0, size).join(',')}`)] },
  includes: {
    sent: ({ type, field }, size) => {
      const [there, back] = [`r${field.references.slice(1)}`, `${type}_r${field.references.slice(1)}`]
      const paths = [there, back, `${there}.${there}`, `${there}.${back}`, `${back}.${there}`, `${back}.${back}`]
      return [get(`${type}?fields[${type}]=${there}&include=${many(size, (n) => paths[n % paths.length]!)}`)]
    },
  },
  included: elsewhere('not measured: records with many references'),
  includedReferences: elsewhere('not measured: records with many references'),
  includedBytes: elsewhere('not measured: records with many references'),
  searchWords: { sent: (place, size) => [search(place, `search('${many(size, (n) => `w${n}`).replaceAll(',', ' ')}')`)] },
  searchWord: { sent: (place, size) => [search(place, `search('${'w'.repeat(size)}')`)] },
  searchTime: elsewhere('not measured: each table is read as a list, with the time limit of lists'),
  documentTables: elsewhere('not measured: an installation of many tables'),
  documentBytes: elsewhere('not measured: an installation of many tables'),
  documentLabels: elsewhere('not measured: it bounds an answer'),
  documentsWaiting: elsewhere(together),
  inValues: { sent: (place, size) => [search(place, `in(${place.field.text},${many(size, (n) => `'v${n}'`)})`)] },
  page: elsewhere('see a page of long texts, below'),
  pageSize: {
    sent: ({ type }, size) => [get(`${type}?page[size]=${size}`)],
    beyond: ({ type }, size) => [get(`${type}?page[size]=${size + 1}`)],
  },
  pageValues: elsewhere('see pageSize: a table with more fields has smaller pages'),
  changeInList: elsewhere('not measured: a page of changes of long texts'),
  changesScanned: elsewhere('not measured: a log of many changes'),
  undoTime: elsewhere('not measured: the undo of an import (docs/performance.md)'),
  undoConflicts: elsewhere('not measured: an undo of more records'),
  eventStreams: elsewhere('npm run bench -- events'),
  importColumns: elsewhere('npm test -- cli/import'),
  keptId: elsewhere('npm test -- cli/keep-ids'),
  workbookPiece: elsewhere('npm test -- src/transfer/xlsx'),
  importErrors: elsewhere('npm test -- http/jobs/import'),
  importPreview: elsewhere(byTime),
  importPreviews: elsewhere(together),
  exportsOfUser: elsewhere('npm test -- http/records/export'),
  exports: elsewhere('npm test -- http/records/export'),
  eventStreamsOfToken: elsewhere('npm run bench -- events'),
  eventStreamsOfUser: elsewhere('npm run bench -- events'),
  eventsUnread: elsewhere('not measured: clients that do not read'),
  eventsUnreadOfAll: elsewhere('not measured: clients that do not read'),
  changesInPage: elsewhere('not measured: a page of changes of long texts'),
  text: { sent: (place, size) => [make(place, 'ё'.repeat(size), 'text')] },
  longtext: { sent: (place, size) => [make(place, 'x'.repeat(size)), make(place, 'ё'.repeat(size))] },
  email: { sent: (place, size) => [make(place, `${'a'.repeat(size - 5)}@b.cd`, 'email')] },
  url: { sent: (place, size) => [make(place, `https://b.cd/${'a'.repeat(size - 13)}`, 'url')] },
  phone: { sent: (place, size) => [make(place, '1'.repeat(size), 'phone')] },
  optionLabel: {
    sent: (place, size) => [
      newField(place, { field_type: 'list', options: Array.from({ length: 900 }, (_, n) => 'ё'.repeat(size - 4) + (n + 1000)) }),
    ],
  },
  fileName: { sent: (place, size) => [make(place, [{ file_name: 'a'.repeat(size), content: '' }], 'file')] },
  extension: { sent: (place, size) => [newField(place, { field_type: 'file', file_extensions: ['a'.repeat(size)] })] },
  fileKilobytes: { sent: (place, size) => [newField(place, { field_type: 'file', max_kilobytes: size })] },
  digits: { sent: (place, size) => [make(place, `${'9'.repeat(size - 2)}.99`, 'decimal')] },
  scale: { sent: (place, size) => [newField(place, { field_type: 'decimal', scale: size })] },
  writtenNumber: { sent: (place, size) => [make(place, `1.${'0'.repeat(size - 2)}`, 'decimal')] },
  writtenTime: {
    sent: (place, size) => [make(place, `2024-05-01T01:00:00.${'0'.repeat(size - 20)}`, 'datetime')],
  },
  invitation: {
    sent: (_, size) => [post('invitation', { data: { type: 'invitation', attributes: { user_id: 1, lifetime: Math.ceil(size / 1000) } } })],
  },
  viewColumns: {
    sent: (place, size) => [
      newView(
        place,
        Array.from({ length: size }, (_, i) => ({ attribute: `f${i + 1_000}`, width: 10_000 })),
      ),
    ],
  },
  columnWidth: { sent: (place, size) => [newView(place, [{ attribute: 'id', width: size }])] },
  settingValue: {
    sent: (_, size) => [post('setting', { data: { type: 'setting', attributes: { key: 'x', value: 'x'.repeat(size - 2) } } })],
  },
  auditedFailures: elsewhere(stored),
  auditedFailuresOfAll: elsewhere(stored),
  auditedActs: elsewhere(stored),
  knownNetworks: elsewhere('not measured: it limits what is stored after many sign-ins'),
  signInCounts: elsewhere('not measured: it limits what is stored after many sign-ins'),
  commands: elsewhere('not measured: commands come from the same machine'),
  structureDocument: elsewhere('not measured: documents come from the same machine'),
  command: elsewhere('not measured: commands come from the same machine'),
  commandAnswer: elsewhere('not measured: commands come from the same machine'),
}

/** Inputs whose limits are of their kind or of the contract, not of limits.ts. */
export const inputs: readonly { readonly says: string; readonly most: string; readonly probe: Measured }[] = [
  {
    says: 'a path',
    most: '100 KB',
    probe: {
      sent: () => [
        { ...get('x'.repeat(100_000)), open: true },
        { ...get(`${'%41'.repeat(30_000)}`), open: true },
      ],
    },
  },
  {
    says: 'combining marks in a login',
    most: '30 in a row',
    probe: { sent: () => [signIn(marked(limits.marks.most)), signIn(marked(limits.marks.most).repeat(8))] },
  },
  {
    says: 'parameters of a list',
    most: '10,000',
    probe: { sent: ({ type }) => [get(`${type}?${Array.from({ length: 10_000 }, (_, n) => `a${n}=1`).join('&')}`)] },
  },
  {
    says: 'values of `in`',
    most: '1,000',
    probe: { sent: (place) => [list(place, `in(${place.field.text},${many(1_000, (n) => `'v${n}'`)})`)] },
  },
  {
    says: 'date-times with an offset in a filter',
    most: '10,000',
    probe: {
      sent: (place) => [
        search(
          place,
          anyOf(place.field.datetime, () => '2020-01-01T00:00:00+03:00'),
        ),
        search(
          place,
          anyOf(place.field.datetime, (n) => `${1_000 + (n % 2_000)}-${String(1 + (n % 12)).padStart(2, '0')}-01T00:00:00+03:00`),
        ),
      ],
    },
  },
  { says: 'a page of long texts', most: '50 records of 1 MB', probe: { sent: ({ type }) => [get(`${type}?page[limit]=50`)] } },
  {
    says: 'a sort by long texts',
    most: '50 records of 1 MB',
    probe: { sent: ({ type, field }) => [get(`${type}?sort=${field.longtext}`), get(`${type}?sort=-${field.longtext}&page[offset]=25`)] },
  },
  {
    says: 'a search through long texts',
    most: '50 records of 1 MB',
    probe: { sent: (place) => [list(place, `contains(${place.field.longtext},'${'a'.repeat(500)}b')`)] },
  },
  {
    says: 'a search for a name in the trash list',
    most: '1,000 characters',
    probe: { sent: () => [get(`trash?filter=contains(title,'${'a'.repeat(1_000)}')`)] },
  },
  { says: 'a text', most: '255 characters', probe: { sent: (place) => [make(place, 'ё'.repeat(255), 'text')] } },
  {
    says: 'a long text',
    most: '1 MB',
    probe: {
      sent: (place) =>
        ['Привет ', 'ё', 'e\u0301', 'ё\u0323\u0308', 'İ', '\u{10400}', '\u1112\u1161\u11ab', '"'].map((part) =>
          make(place, part.repeat(Math.min(1_000_000 / [...part].length, 2_000_000 / Buffer.byteLength(part)))),
        ),
    },
  },
  {
    says: 'a decimal',
    most: '18 digits',
    probe: { sent: (place) => [make(place, '9'.repeat(16), 'decimal'), make(place, `0.${'0'.repeat(200_000)}1`, 'decimal')] },
  },
  {
    says: 'a date-time',
    most: 'very long values are refused',
    probe: { sent: (place) => [make(place, '2024-01-01 '.repeat(20_000), 'datetime')] },
  },
  {
    says: 'options of a multilist',
    most: 'all options of the field',
    probe: { sent: (place) => [make(place, 'A\r\n'.repeat(100_000), 'multilist')] },
  },
  {
    says: 'references',
    most: 'very long values are refused',
    probe: { sent: (place) => [make(place, `-${'1-'.repeat(200_000)}`, 'references')] },
  },
  {
    says: 'an e-mail address',
    most: 'very long values are refused',
    probe: { sent: (place) => [make(place, `${'a.'.repeat(100_000)}@b`, 'email')] },
  },
  {
    says: 'a web address',
    most: 'very long values are refused',
    probe: { sent: (place) => [make(place, `https://${'a.'.repeat(100_000)}`, 'url')] },
  },
  {
    says: 'a telephone number',
    most: 'very long values are refused',
    probe: { sent: (place) => [make(place, '+7 '.repeat(100_000), 'phone')] },
  },
  {
    says: 'a file',
    most: '1 MB',
    probe: { sent: (place) => [make(place, [{ file_name: 'a.txt', content: 'x'.repeat(1_000_000) }], 'file')] },
  },
  {
    says: 'a body with files',
    most: '64 MiB (KARTOTEKA_BODY_LIMIT)',
    probe: {
      sent: (place) => [
        withFile(place, 1_000, 2 ** 26),
        withFile(place, 2 ** 21, 2 ** 26),
        withFile(place, 1_000, 2 ** 26, '\\n', false),
        withFile(place, 1_000, 2 ** 26, '\\ud800', false),
        withFile(place, 1_000, 2 ** 26, 'ё', false),
        withFile(place, 1_000, 2 ** 26, '!'),
      ],
    },
  },
]

export const limitOf = (name: string): number => limits[name as LimitName].most
