/*
 * All limits: of a request, of what a user may store, of what a process holds at once. One row each. docs/limits.md is written from
 * these rows and from measurements at each limit. The sizes of caches (lists, statements, tokens) and the waits after failed sign-ins
 * (store/people/throttle.ts) are in the files that use them.
 */

export type Unit = 'bytes' | 'characters' | 'count' | 'milliseconds'

export interface Limit {
  /** The largest value that is accepted. */
  readonly most: number
  readonly unit: Unit
  /** What is limited, as docs/limits.md shows it. */
  readonly of: string
  /** What happens beyond the limit: an error code (errors.ts), or a few words. */
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
  body:             limit(2_097_152, 'bytes', 'body of a request without files', 'body.too_large'),
  bodyBesides:      limit(2_097_152, 'bytes', 'body of a request with files, without the contents of the files', 'body.too_large_besides'),
  jsonDepth:        limit(64, 'count', 'nesting depth of objects and arrays in a body', 'body.malformed'),
  jsonMembers:      limit(10_000, 'count', 'members of an object in a body', 'document.invalid_member'),
  jsonLongNumbers:  limit(2_000, 'count', 'numbers in a body that have more than 15 digits or an exponent', 'body.malformed'),
  // Twice the attributes of a table. Each unknown attribute gives an error.
  attributes:       limit(1_000, 'count', 'attributes in a document', 'document.invalid_member'),
  errors:           limit(1_000, 'count', 'errors in one answer', 'the rest is left out'),
  jsonNumber:       limit(400, 'characters', 'each number in a body', 'body.malformed'),
  operations:       limit(1_000, 'count', 'atomic operations of a request, records of a PATCH of many', 'document.invalid_member'),
  operationResults: limit(8_388_608, 'bytes', 'values in the answer to atomic operations or to a PATCH of many', 'later records are shown without attributes'),
  jsonValues:       limit(30_000, 'count', 'values in a body', 'body.malformed'),
  openJsonMembers:  limit(50, 'count', 'members of an object in a body without a token', 'document.invalid_member'),
  openJsonLongNumbers: limit(100, 'count', 'numbers that have more than 15 digits or an exponent, in a body without a token', 'body.malformed'),
  // The request for a token is such a body. It may name 1,000 tables.
  openJsonValues:   limit(2_000, 'count', 'values in a body without a token', 'body.malformed'),

  // Filters and lists.
  filter:           limit(8_192, 'characters', 'filter in an address', 'filter.too_long'),
  postedFilter:     limit(1_048_576, 'bytes', 'filter in a body, as UTF-8', 'filter.too_long'),
  filterDepth:      limit(32, 'count', 'nesting depth of functions in a filter', 'filter.too_deep'),
  functionsPerFilter: limit(500, 'count', 'functions of a filter', 'filter.too_many_functions'),
  filterValues:     limit(10_000, 'count', 'values of all functions of a filter', 'filter.too_many_values'),
  filterSteps:      limit(8, 'count', 'functions of a filter on attributes of referenced records', 'filter.too_many_steps'),
  filterOptions:    limit(100_000, 'count', 'options that a filter compares: each function on a list field compares all options of the field', 'filter.too_many_options'),
  filterValue:      limit(1_000, 'characters', 'each value in a filter', 'filter.invalid_value'),
  searchWords:      limit(10, 'count', 'words that all functions search of a filter look for', 'filter.invalid_value'),
  // A text index has as many characters of each word.
  searchWord:       limit(64, 'characters', 'each word that search looks for', 'filter.invalid_value'),
  searchTime:       limit(5_000, 'milliseconds', 'time for which one request looks through tables for words', 'complete is false for the rest of the page'),
  inValues:         limit(1_000, 'count', 'values of one function of a filter', 'filter.wrong_arity'),
  // Existing clients rely on it (interface 7.2).
  page:             limit(50, 'count', 'resources of a page', 'as many are shown'),
  pageSize:         limit(1_000, 'count', 'resources of a page that is asked for by page[size] and cursors', 'page.too_large'),
  pageValues:       limit(50_000, 'count', 'values of such a page of records: of a table with many fields, a page has fewer records, and at least 50', 'page.too_large'),
  changeInList:     limit(32_768, 'characters', 'values of a change that a list shows', 'changes is null in lists: ask for the change by its id'),
  changesInPage:    limit(2_097_152, 'bytes', 'values of the changes in a page that is asked for with a cursor', 'the page has fewer changes'),
  changesScanned:   limit(10_000, 'count', 'changes that are looked through for a page that is asked for with a cursor', 'the page has fewer changes, and meta.more is true'),
  undoTime:         limit(5_000, 'milliseconds', 'time for which one request undoes changes of a batch', 'meta.done is false: the next request goes on'),
  undoConflicts:    limit(100, 'count', 'conflicts of an undo that an answer lists', 'they are counted'),
  includes:         limit(16, 'count', 'relationships that an include follows', 'parameter.invalid'),
  included:         limit(5_000, 'count', 'records that an include brings', 'include.too_many'),
  includedReferences: limit(100_000, 'count', 'ids in fields with several references that an include reads, repeated ones included', 'include.too_many'),
  includedBytes:    limit(8_388_608, 'bytes', 'values of the records that an include brings', 'include.too_large'),
  aggregateFunctions: limit(16, 'count', 'functions of an aggregate', 'parameter.invalid'),
  aggregateGroups:  limit(1_000, 'count', 'groups of an aggregate', 'aggregate.too_many_groups'),
  documentTables:   limit(100, 'count', 'tables in an OpenAPI document', 'the rest is left out; tables=… chooses'),
  documentBytes:    limit(4_194_304, 'characters', 'an OpenAPI document, besides its last table', 'the rest of the tables is left out; tables=… chooses'),
  documentLabels:   limit(262_144, 'characters', 'labels of the list fields of a table in OpenAPI, JSON Schema and TypeScript', 'further fields are strings there'),
  documentsWaiting: limit(50, 'count', 'OpenAPI documents and JSON Schemas that wait to be made, one after the other', 'server.busy'),
  affectedListed:   limit(100, 'count', 'what the dry run of a deletion lists of fields, filters, views, rules and webhooks', 'they are counted'),
  copiedRecords:    limit(10_000, 'count', 'records of a table that one request copies with it; the command line copies more', 'table.too_many_records'),
  bulkRecords:      limit(10_000, 'count', 'records that one request changes or deletes by a filter', 'the request becomes a job'),
  sortAttributes:   limit(16, 'count', 'attributes of a sort', 'sort.too_many_attributes'),

  // Texts and values.
  marks:            limit(30, 'count', 'combining marks in a row (UAX #15, stream-safe text)', 'field.invalid_value, filter.invalid_value'),
  text:             limit(255, 'characters', 'value of a field of type text, title of a table or field', 'field.invalid_value'),
  longtext:         limit(1_000_000, 'characters', 'value of a field of type longtext', 'field.invalid_value'),
  // RFC 5321, section 4.5.3.1.3, without the angle brackets.
  email:            limit(254, 'characters', 'e-mail address', 'field.invalid_value'),
  url:              limit(2_000, 'characters', 'web address', 'field.invalid_value'),
  phone:            limit(64, 'characters', 'telephone number', 'field.invalid_value'),
  optionLabel:      limit(255, 'characters', 'label of an option', 'field.invalid_value'),
  fileName:         limit(255, 'bytes', 'name of a file, as UTF-8', 'field.invalid_value'),
  extension:        limit(16, 'characters', 'extension that a file field allows', 'field.invalid_value'),
  fileKilobytes:    limit(1_000_000_000, 'count', 'KiB that a file field may allow for a file', 'field.invalid_value'),
  // All numbers of 18 digits fit into a 64-bit integer.
  digits:           limit(18, 'count', 'digits of a number', 'field.invalid_value'),
  scale:            limit(9, 'count', 'digits after the point, setting scale of a decimal', 'field.invalid_value'),
  // No number or time needs more characters.
  writtenNumber:    limit(100, 'characters', 'spelling of a number', 'field.invalid_value'),
  writtenTime:      limit(100, 'characters', 'spelling of a date or date-time', 'field.invalid_value'),
  invitation:       limit(2_592_000_000, 'milliseconds', 'lifetime of an invitation', 'field.invalid_value'),
  ids:              limit(10_000, 'count', 'ids in one value', 'field.invalid_value'),
  listMembers:      limit(1_000, 'count', 'options of a field, files of a field, tables of a token, extensions of a file field', 'field.invalid_value'),
  record:           limit(33_554_432, 'bytes', 'values of a record; an export reads one record after the other, each as a whole', 'record.too_large'),
  title:            limit(255, 'characters', 'title of a record, stored in the trash', 'the rest is left out'),
  noted:            limit(1_000, 'characters', 'details of an entry in the audit log', 'the rest is left out'),
  hint:             limit(1_000, 'characters', 'hint of a field', 'field.invalid_value'),
  fieldDefault:     limit(8_192, 'characters', 'default value of a field', 'field.invalid_value'),
  login:            limit(255, 'characters', 'login of a user', 'field.invalid_value'),
  password:         limit(1_000, 'characters', 'password', 'field.invalid_value'),

  // What a user may keep.
  filtersPerUser:   limit(200, 'count', 'saved filters of a user', 'quota.reached'),
  sharedFilters:    limit(2_000, 'count', 'saved filters that are shared', 'quota.reached'),
  signInsPerUser:   limit(200, 'count', 'tokens that a user got by signing in', 'the least recently used ones end'),
  viewsPerUser:     limit(200, 'count', 'views of a user', 'quota.reached'),
  sharedViews:      limit(2_000, 'count', 'views that are shared', 'quota.reached'),
  viewColumns:      limit(600, 'count', 'columns of a view', 'field.invalid_value'),
  columnWidth:      limit(10_000, 'count', 'pixels of the width of a column of a view', 'field.invalid_value'),
  settingsPerUser:  limit(100, 'count', 'settings of a user', 'quota.reached'),
  settingValue:     limit(8_192, 'bytes', 'value of a setting of a user, as JSON', 'field.invalid_value'),
  sessionIdle:      limit(1_209_600_000, 'milliseconds', 'time without use after which the session of a browser ends (KARTOTEKA_TOKEN_LIFETIME_MAX, if that is shorter)', 'auth.token_invalid'),
  tokensPerUser:    limit(1_000, 'count', 'tokens of a user that the operator issued', 'quota.reached'),
  answersPerUser:   limit(50_000, 'count', 'stored answers for the Idempotency-Keys of a user', 'idempotency.too_many'),
  answerBytesPerUser: limit(67_108_864, 'bytes', 'stored answers for the Idempotency-Keys of a user, in all', 'idempotency.too_many'),
  answers:          limit(200_000, 'count', 'stored answers for the Idempotency-Keys of all users', 'idempotency.too_many'),
  answerBytes:      limit(536_870_912, 'bytes', 'stored answers for the Idempotency-Keys of all users, in all', 'idempotency.too_many'),
  auditedFailures:  limit(20, 'count', 'failed sign-ins of one account, or from one IPv4 address or IPv6 /64, that the audit log shows one by one in an hour', 'counted in one row'),
  auditedFailuresOfAll: limit(500, 'count', 'failed sign-ins that the audit log shows one by one in an hour', 'counted in one row'),
  auditedActs:      limit(100, 'count', 'acts of one kind of one user on their own account and tokens, sign-ins included, that the audit log shows one by one in an hour', 'counted in one row'),
  webhooksPerUser:  limit(50, 'count', 'webhooks of a user', 'quota.reached'),
  jobsWaiting:      limit(50, 'count', 'jobs of a user that wait or run', 'quota.reached'),
  jobsOfUser:       limit(200, 'count', 'jobs of a user, those that have ended included', 'those that ended first are erased'),
  jobInput:         limit(1_048_576, 'bytes', 'input of a job, as JSON', 'job.too_large'),
  knownNetworks:    limit(20, 'count', 'addresses from which a user has signed in, remembered for 90 days', 'the oldest is forgotten'),

  // What administrators may create, including what is in the trash.
  tables:           limit(2_000, 'count', 'tables, those in the trash included', 'quota.reached'),
  fields:           limit(20_000, 'count', 'fields of all tables, those in the trash included', 'quota.reached'),
  // Both engines can hold this number of fields of any type, with their key columns.
  fieldsPerTable:   limit(500, 'count', 'fields of a table', 'table.too_many_fields'),
  optionsPerField:  limit(10_000, 'count', 'options of a field, removed ones included', 'quota.reached'),
  options:          limit(100_000, 'count', 'options of all fields, removed ones included', 'quota.reached'),
  groups:           limit(500, 'count', 'groups', 'quota.reached'),
  accessRules:      limit(5_000, 'count', 'rules of access', 'quota.reached'),
  categories:       limit(1_000, 'count', 'categories', 'quota.reached'),
  webhooks:         limit(200, 'count', 'webhooks', 'quota.reached'),
  users:            limit(50_000, 'count', 'users, archived ones included', 'quota.reached'),

  // What a process holds at once.
  signInCounts:     limit(10_000, 'count', 'accounts and addresses whose failed sign-ins are counted', 'those with the fewest failures are forgotten'),
  connections:      limit(2_048, 'count', 'connections at once', 'server.too_many_connections'),
  connectionsOfAddress: limit(512, 'count', 'connections at once from one IPv4 address or one IPv6 /64; a trusted proxy may use all', 'server.too_many_connections'),
  pipelined:        limit(10_000, 'count', 'requests on one connection that wait for the answer to an earlier one', 'the connection ends'),
  passwords:        limit(2, 'count', 'passwords that are hashed at once (19 MiB of memory each)', 'they wait'),
  passwordsWaiting: limit(100, 'count', 'passwords that wait to be hashed (a few seconds)', 'server.busy'),
  stall:            limit(30_000, 'milliseconds', 'time in which a client sends no byte of an unfinished body, or reads no byte of an unfinished answer', 'request.timed_out, or the connection ends'),
  refusedSender:    limit(5_000, 'milliseconds', 'time for which data is still read from a connection and discarded, after a refusal that ends the connection', 'the connection ends'),
  requestTime:      limit(300_000, 'milliseconds', 'time for a whole request to arrive', 'request.timed_out'),
  uploadPart:       limit(4_194_304, 'bytes', 'part of an upload that has to arrive within the time for a whole request', 'request.timed_out'),
  uploads:          limit(64, 'count', 'files that are uploaded at once', 'server.busy'),
  uploadsOfUser:    limit(16, 'count', 'files of one user that are uploaded at once', 'server.busy'),
  jobs:             limit(2, 'count', 'jobs that a process runs at once; one of each user', 'they wait'),
  thumbnailBytes:   limit(33_554_432, 'bytes', 'image of which a small one is made', 'thumbnail.impossible'),
  thumbnailPixels:  limit(50_000_000, 'count', 'pixels of an image of which a small one is made', 'thumbnail.impossible'),
  thumbnailTime:    limit(15_000, 'milliseconds', 'time to decode an image', 'thumbnail.impossible'),
  thumbnailsWaiting: limit(100, 'count', 'images that wait to be decoded; one is decoded at once', 'server.busy'),
  thumbnailsOfUser: limit(20, 'count', 'images of one user that wait to be decoded', 'server.busy'),
  headersTime:      limit(30_000, 'milliseconds', 'time for the headers of a request to arrive', 'request.timed_out'),
  pageInMemory:     limit(4_194_304, 'bytes', 'values of a page that are read together with its records; longer values are read one by one while the answer is written to a file', 'the answer is written to a file'),
  answer:           limit(268_435_456, 'bytes', 'long values of one answer', 'answer.too_large'),
  answersOnDisk:    limit(2_147_483_648, 'bytes', 'answers in files that their clients have not read yet', 'server.busy'),
  longAnswers:      limit(2, 'count', 'answers with long values that are being written at once', 'they wait'),
  longAnswersWaiting: limit(200, 'count', 'answers with long values that wait to be written', 'server.busy'),
  eventStreams:     limit(1_500, 'count', 'streams of events at once', 'server.busy'),
  exportsOfUser:    limit(3, 'count', 'exports of a user at once', 'export.too_many'),
  exports:          limit(20, 'count', 'exports of all users at once', 'server.busy'),
  eventStreamsOfToken: limit(200, 'count', 'streams of events at once with one token', 'events.too_many'),
  eventStreamsOfUser: limit(1_000, 'count', 'streams of events at once of one user, with all tokens', 'events.too_many'),
  eventsUnread:     limit(262_144, 'bytes', 'events that wait for one client to read', 'its stream ends'),
  eventsUnreadOfAll: limit(67_108_864, 'bytes', 'events that wait for all clients to read', 'the streams of those who do not read end'),
  unreadAnswers:    limit(134_217_728, 'bytes', 'answers in memory that their clients have not read yet', 'clients that have read for more than 5 s are disconnected, or server.busy'),
  bodiesInFlight:   limit(134_217_728, 'bytes', 'bodies of all running requests (KARTOTEKA_BODY_LIMIT, if that is larger)', 'server.bodies_in_flight'),
  slowReads:        limit(200, 'count', 'slow lists that wait to be read, each by up to 16 reads', 'server.busy'),
  slowReadsOfUser:  limit(40, 'count', 'slow lists of one user that wait to be read; and as many that wait to look for a piece of text together', 'server.busy'),
  quickReads:       limit(4_000, 'count', 'lists that wait for the first, short attempt to read them; lists that take longer become slow lists', 'server.busy'),
  quickReadsOfUser: limit(1_000, 'count', 'lists of one user that wait for the first attempt', 'server.busy'),
  servingMoment:    limit(10, 'milliseconds', 'time for which the serving thread reads one list', 'a separate thread reads it'),
  writingMoment:    limit(1_000, 'milliseconds', 'time to check the filters of a group on a record that is written', 'server.query_timeout'),
  servingTexts:     limit(262_144, 'bytes', 'long texts that the serving thread searches for one list', 'a separate thread reads it'),

  // Imports.
  importColumns:    limit(2_000, 'count', 'columns of a file that is imported', 'the import is refused'),
  // Records are counted in blocks of ids: a list of all blocks up to the largest id is in memory.
  keptId:           limit(100_000_000, 'count', 'id that an import with --keep-ids gives a record', 'the line is refused'),
  workbookPiece:    limit(8_388_608, 'bytes', 'each tag, text and comment of a workbook that is imported, unpacked', 'import.unreadable'),
  importErrors:     limit(33_554_432, 'characters', 'refused lines that the error file of an import over HTTP lists', 'further ones are counted'),
  importPreview:    limit(15_000, 'milliseconds', 'time to read the beginning of a workbook for a preview', 'import.unreadable'),
  importPreviews:   limit(4, 'count', 'previews of imports that are read at once', 'server.busy'),

  // Webhooks.
  webhookQueue:     limit(500, 'count', 'deliveries of a webhook that wait to be sent', 'later changes wait in the log; a replay is refused with quota.reached'),
  webhookDeliveries: limit(200_000, 'count', 'deliveries of all webhooks that are kept although they wait no more', 'the oldest of those with the most are erased within an hour'),
  webhookAttempts:  limit(64, 'count', 'attempts to deliver webhooks that run at once; half of them for webhooks whose last attempt failed or took more than 2 s', 'they wait'),
  webhookAttemptsOfOne: limit(8, 'count', 'attempts to deliver one webhook that run at once; one where the last attempt failed', 'they wait'),
  webhookBody:      limit(1_048_576, 'characters', 'values of a change that a webhook is sent', 'changes is null: ask for the change by its id'),
  // DNS asks a second server after 5 s.
  webhookConnect:   limit(10_000, 'milliseconds', 'time to find and to reach the receiver of a webhook, its TLS handshake included', 'the attempt has failed'),
  webhookTime:      limit(20_000, 'milliseconds', 'time for an attempt to deliver a webhook; what came of the answer until then counts', 'the attempt has failed'),
  webhookAnswer:    limit(65_536, 'bytes', 'answer of the receiver of a webhook, headers included', 'the connection ends; without a status the attempt has failed'),
  webhookWait:      limit(7_200_000, 'milliseconds', 'wait between two attempts to deliver a webhook, also where the receiver asks for a longer one; a fifth more at random', 'the attempt is made'),

  // Files in a bucket.
  s3Connect:        limit(5_000, 'milliseconds', 'time to reach the service of a bucket, its TLS handshake included', 'the attempt has failed'),
  s3Stall:          limit(30_000, 'milliseconds', 'time in which the service of a bucket takes or sends no byte', 'server.files_unavailable'),
  s3Attempts:       limit(3, 'count', 'attempts of a request to a bucket that fail for a reason that may pass, 250 ms and 1 s apart', 'server.files_unavailable'),
  s3Error:          limit(65_536, 'bytes', 'answer of a bucket that is no file and no list', 'the attempt has failed'),
  s3Page:           limit(8_388_608, 'bytes', 'page of a list of the objects in a bucket', 'server.files_unavailable'),

  // The command line and the server that performs its commands.
  // A filter of the longest kind has to fit, in any script.
  command:          limit(1_048_576, 'bytes', 'a command that is sent to a running server', 'the server ends the connection'),
  structureDocument: limit(67_108_864, 'bytes', 'document that structure diff and apply read', 'structure.invalid'),
  commandAnswer:    limit(268_435_456, 'characters', 'one line of the answer of a server to a command', 'the command ends'),
  commands:         limit(64, 'count', 'commands that a running server performs at once', 'the next command fails with a message that the server has ended'),
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits
