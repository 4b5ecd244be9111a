/*
 * Every bound on what a request may bring, what a user may keep and what a process may hold at once: one row each. A cost is
 * bounded here before it is spent; docs/limits.md is written from these rows and from what is measured at each of them.
 */

export type Unit = 'bytes' | 'characters' | 'count' | 'milliseconds'

export interface Limit {
  /** The largest value that is taken. */
  readonly most: number
  readonly unit: Unit
  /** What is bounded, as docs/limits.md says it. */
  readonly of: string
  /** What happens beyond it: the code of an error (errors.ts), or a few words. */
  readonly beyond: string
}

const limit = (most: number, unit: Unit, of: string, beyond: string): Limit => ({ most, unit, of, beyond })

// prettier-ignore
export const limits = {
  // Requests: address, headers, body.
  // A filter of 8,192 characters takes up to 12 bytes for each when percent-encoded.
  headers:          limit(131_072, 'bytes', 'address and headers of a request', 'request.headers_too_large'),
  openBody:         limit(65_536, 'bytes', 'body of a request without a token', 'body.too_large'),
  header:           limit(8_192, 'bytes', 'each header that the service reads', 'request.headers_too_large'),
  idempotencyKey:   limit(255, 'characters', 'Idempotency-Key of a request', 'header.invalid'),
  body:             limit(2_097_152, 'bytes', 'body of a request that brings no files', 'body.too_large'),
  bodyBesides:      limit(2_097_152, 'bytes', 'body of a request that brings files, besides their contents', 'body.too_large_besides'),
  jsonDepth:        limit(64, 'count', 'objects and arrays of a body within each other', 'body.malformed'),
  jsonMembers:      limit(10_000, 'count', 'members of an object in a body', 'document.invalid_member'),
  jsonLongNumbers:  limit(2_000, 'count', 'numbers in a body of more than 15 digits or with an exponent', 'body.malformed'),
  // Twice what a table can have; each that is unknown costs an error.
  attributes:       limit(1_000, 'count', 'attributes that a document sets', 'document.invalid_member'),
  errors:           limit(1_000, 'count', 'errors that one answer tells', 'the rest is left out'),
  jsonNumber:       limit(400, 'characters', 'each number in a body', 'body.malformed'),
  jsonValues:       limit(30_000, 'count', 'values in a body', 'body.malformed'),
  openJsonMembers:  limit(50, 'count', 'members of an object in a body without a token', 'document.invalid_member'),
  openJsonLongNumbers: limit(100, 'count', 'numbers of more than 15 digits or with an exponent in a body without a token', 'body.malformed'),
  // A token is asked for without one, and may name 1,000 tables.
  openJsonValues:   limit(2_000, 'count', 'values in a body without a token', 'body.malformed'),

  // Filters and lists.
  filter:           limit(8_192, 'characters', 'filter in an address', 'filter.too_long'),
  postedFilter:     limit(1_048_576, 'bytes', 'filter in a body, as UTF-8', 'filter.too_long'),
  filterDepth:      limit(32, 'count', 'functions of a filter within each other', 'filter.too_deep'),
  filterFunctions:  limit(500, 'count', 'functions of a filter', 'filter.too_many_functions'),
  filterValues:     limit(10_000, 'count', 'values of all functions of a filter', 'filter.too_many_values'),
  filterOptions:    limit(100_000, 'count', 'options that the functions of a filter compare with their values: of each function on a list, all options of the field', 'filter.too_many_options'),
  filterValue:      limit(1_000, 'characters', 'each value in a filter', 'filter.invalid_value'),
  sortAttributes:   limit(16, 'count', 'attributes of a sort', 'sort.too_many_attributes'),

  // Texts and values.
  marks:            limit(30, 'count', 'combining marks in a row (UAX #15, stream-safe text)', 'field.invalid_value, filter.invalid_value'),
  ids:              limit(10_000, 'count', 'ids in one value', 'field.invalid_value'),
  listMembers:      limit(1_000, 'count', 'options of a field, files of a field, tables of a token, extensions of a file field', 'field.invalid_value'),
  record:           limit(33_554_432, 'bytes', 'values of a record', 'record.too_large'),
  title:            limit(255, 'characters', 'title of a record that the trash keeps', 'the rest is left out'),
  noted:            limit(1_000, 'characters', 'details of an entry of the audit log', 'the rest is left out'),
  hint:             limit(1_000, 'characters', 'hint of a field', 'field.invalid_value'),
  fieldDefault:     limit(8_192, 'characters', 'default value of a field', 'field.invalid_value'),
  login:            limit(255, 'characters', 'login of a user', 'field.invalid_value'),
  password:         limit(1_000, 'characters', 'password', 'field.invalid_value'),

  // What a user may keep.
  filtersPerUser:   limit(200, 'count', 'saved filters of a user', 'quota.reached'),
  sharedFilters:    limit(2_000, 'count', 'saved filters that are shared', 'quota.reached'),
  signInsPerUser:   limit(200, 'count', 'tokens that a user got by signing in', 'those used the longest time ago end'),
  tokensPerUser:    limit(1_000, 'count', 'tokens of a user that the operator issued', 'quota.reached'),
  answersPerUser:   limit(50_000, 'count', 'answers kept for the Idempotency-Keys of a user', 'idempotency.too_many'),
  answerBytesPerUser: limit(67_108_864, 'bytes', 'answers kept for the Idempotency-Keys of a user', 'idempotency.too_many'),
  answers:          limit(200_000, 'count', 'answers kept for all Idempotency-Keys', 'idempotency.too_many'),
  answerBytes:      limit(536_870_912, 'bytes', 'answers kept for all Idempotency-Keys', 'idempotency.too_many'),
  auditedFailures:  limit(20, 'count', 'failed sign-ins of one account, or from one address or IPv6 /64, that the audit log shows one by one in an hour', 'counted in one row'),
  auditedFailuresOfAll: limit(500, 'count', 'failed sign-ins that the audit log shows one by one in an hour', 'counted in one row'),
  auditedActs:      limit(100, 'count', 'acts of one kind of one user on their own account and tokens, sign-ins among them, that the audit log shows one by one in an hour', 'counted in one row'),
  knownNetworks:    limit(20, 'count', 'addresses from which a user has signed in, remembered for 90 days', 'the oldest is forgotten'),

  // What administrators may make, the trash included.
  tables:           limit(2_000, 'count', 'tables', 'quota.reached'),
  fields:           limit(20_000, 'count', 'fields of all tables', 'quota.reached'),
  // So many fit both engines with their key columns, whatever their types.
  fieldsPerTable:   limit(500, 'count', 'fields of a table', 'table.too_many_fields'),
  optionsPerField:  limit(10_000, 'count', 'options of a field, those removed included', 'quota.reached'),
  options:          limit(100_000, 'count', 'options of all fields, those removed included', 'quota.reached'),
  groups:           limit(500, 'count', 'groups', 'quota.reached'),
  accessRules:      limit(5_000, 'count', 'rules of access', 'quota.reached'),
  categories:       limit(1_000, 'count', 'categories', 'quota.reached'),
  users:            limit(50_000, 'count', 'users, those archived included', 'quota.reached'),

  // What a process holds at once.
  signInCounts:     limit(10_000, 'count', 'accounts and addresses whose failed sign-ins are counted', 'those with the fewest failures are forgotten'),
  connections:      limit(2_048, 'count', 'connections at once', 'server.too_many_connections'),
  connectionsOfAddress: limit(512, 'count', 'connections at once from one IPv4 address or one IPv6 /64; a trusted proxy may have all', 'server.too_many_connections'),
  pipelined:        limit(10_000, 'count', 'requests that wait for the answer to another one of their connection', 'the connection ends'),
  passwords:        limit(2, 'count', 'passwords that are hashed at once, 19 MiB each', 'they wait'),
  passwordsWaiting: limit(100, 'count', 'passwords that wait to be hashed, a few seconds', 'server.busy'),
  stall:            limit(30_000, 'milliseconds', 'without one byte sent by a client in the middle of a body, or read by one in the middle of an answer', 'request.timed_out, or the connection ends'),
  refusedSender:    limit(5_000, 'milliseconds', 'for which what is sent on a connection is still read, and thrown away, after a refusal that ends it', 'the connection ends'),
  requestTime:      limit(300_000, 'milliseconds', 'for a whole request to arrive', 'request.timed_out'),
  headersTime:      limit(30_000, 'milliseconds', 'for the headers of a request to arrive', 'request.timed_out'),
  pageInMemory:     limit(4_194_304, 'bytes', 'values of a page that are read with its records; longer ones are read one by one while the answer is written to a file', 'the answer is written to a file'),
  answer:           limit(268_435_456, 'bytes', 'long values of one answer', 'answer.too_large'),
  answersOnDisk:    limit(2_147_483_648, 'bytes', 'answers in files that their clients have not read yet', 'server.busy'),
  longAnswers:      limit(2, 'count', 'answers with long values that are being written at once', 'they wait'),
  longAnswersWaiting: limit(200, 'count', 'answers with long values that wait for that', 'server.busy'),
  unreadAnswers:    limit(134_217_728, 'bytes', 'answers in memory that their clients have not read yet', 'whoever reads for more than 5 s loses the connection, or server.busy'),
  bodiesInFlight:   limit(134_217_728, 'bytes', 'bodies of all requests under way (more where KARTOTEKA_BODY_LIMIT is)', 'server.bodies_in_flight'),
  slowReads:        limit(200, 'count', 'lists that wait because they take long', 'server.busy'),
  slowReadsOfUser:  limit(40, 'count', 'of those, lists of one user', 'server.busy'),
  quickReads:       limit(4_000, 'count', 'lists that wait to be read for a moment', 'server.busy'),
  quickReadsOfUser: limit(1_000, 'count', 'of those, lists of one user', 'server.busy'),
  servingMoment:    limit(10, 'milliseconds', 'a list read by the thread that serves', 'read by a thread of its own'),
  writingMoment:    limit(1_000, 'milliseconds', 'the filters of a group, asked of a record that is written', 'server.query_timeout'),
  servingTexts:     limit(262_144, 'bytes', 'long texts that the thread that serves looks through for one list', 'read by a thread of its own'),

  // The command line and the server that performs its commands.
  // A filter of the longest kind has to fit, in any script.
  command:          limit(1_048_576, 'bytes', 'a command as it is sent to a running server', 'the server ends the connection'),
  commandAnswer:    limit(268_435_456, 'characters', 'one line of what a server answers to a command', 'the command ends'),
  commands:         limit(64, 'count', 'commands that a running server performs at once', 'the next one is told that the server went away'),
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits
