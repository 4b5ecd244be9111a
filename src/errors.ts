/*
 * All failures that a client can get, one row each (interface 12.2). A code is `area.what_went_wrong` and never changes. The row of a
 * code that is no longer used stays, marked retired.
 */

/**
 * What is at fault, as the store and the filters name it. `http` turns it into the `source` of a JSON:API error object (`sourceOf` in
 * http/routing/source.ts). Before that, `pointed` in http/resources/resource.ts replaces names of attributes by those of the wire, and
 * `postedFilter` in http/routing/readers.ts the name of a filter that was in the body by its pointer.
 */
export interface Place {
  /** An attribute that was written, as the store names it. */
  readonly attribute?: string
  /** A part of the value of the attribute: names of members, indexes of elements. */
  readonly path?: readonly (string | number)[]
  /** The query parameter: filter, sort, filter[f12]. */
  readonly expression?: string
  /** The condition of the request, which is in a header. */
  readonly condition?: 'ifMatch' | 'idempotencyKey'
  /** For failures found by `http`: the `source` as it is sent. */
  readonly source?: Readonly<Partial<Record<string, string>>>
}

/** What a failure has besides its row: its place, details for programs (`meta`), response headers that only `http` knows. */
export interface Where extends Place {
  readonly meta?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** The address that stands for this kind of error: `links.type` of a JSON:API error object. */
  readonly type?: string
}

/** For who named a field in another way, such as by its title. */
const namesOfFields = ({ like }: { readonly like?: string }): string =>
  like === undefined ? '' : ` Fields have names such as ${like} here.`

// prettier-ignore
const catalogue = {
  'auth.token_missing':        row(401, 'Authentication required', () => 'Send an access token in the header X-Auth-Token.'),
  'auth.token_invalid':        row(401, 'Authentication required', () => 'The access token is unknown, expired or revoked.'),
  'auth.cross_site':           row(403, 'Not from a page of this service', () => 'With a session, requests that may write are accepted from pages of this service only: send X-Requested-With: kartoteka, and Sec-Fetch-Site or Origin as a browser does.'),
  'auth.link_invalid':         row(401, 'Link not valid', () => 'The link has expired or is not valid. Ask for a new one.'),
  'auth.login_failed':         row(401, 'Sign-in failed', () => 'Login or password is wrong.'),
  'auth.too_many_attempts':    row(429, 'Too many attempts', (p: { seconds: number }) => `Too many failed sign-ins. Try again in ${p.seconds} s.`, (p) => p.seconds),
  'auth.invitation_invalid':   row(404, 'No such invitation', () => 'The invitation is unknown, used or expired.'),
  'session.viewing':           row(403, 'Only viewing', () => 'While you see what others see, nothing can be changed. DELETE /api/dev/session/view gives you your own rights back.'),
  'access.denied':             row(403, 'Access denied', (p: { what: string }) => `You may not ${p.what}.`),
  'access.exists':             row(409, 'Rule exists already', (p: { group: number; table: number }) => `Group ${p.group} has a rule for table ${p.table} already.`),
  'resource.not_found':        row(404, 'No such resource', (p: { type: string; id: number }) => `There is no ${p.type} ${p.id}.`),
  'quota.reached':            row(409, 'Limit reached', (p: { most: number; of: string }) => `There can be at most ${p.most} ${p.of}.`),
  'group.built_in':            row(409, 'Built-in group', (p: { group: number }) => `Group ${p.group} belongs to the service and stays.`),
  'group.in_use':              row(409, 'Group has users', (p: { group: number; users: number }) => `Group ${p.group} still has ${p.users} users.`),
  'user.login_taken':          row(409, 'Login taken', (p: { login: string }) => `Another user has the login '${p.login}'.`),
  'user.last_administrator':   row(409, 'Last administrator', () => 'One administrator who is not archived must remain.'),
  'user.wrong_password':       row(422, 'Wrong password', () => 'To change your password, send the current one as old_password.'),
  'table.field_names_repeat': row(422, 'Field names repeat', (p: { names: string }) => `Fields of this table have the same name: ${p.names}. Rename them first.`),
  'field.name_taken':         row(422, 'Field name taken', (p: { name: string; field: number }) => `The table has a field '${p.name}' already (f${p.field}), and wants different names.`),
  'table.too_many_fields':     row(409, 'Too many fields', (p: { most: number }) => `A table has at most ${p.most} fields, those in the trash included.`),
  'table.no_columns_left':    row(409, 'No columns left', () => 'The table has used all of its 1,600 columns in PostgreSQL; columns of erased and converted fields count too. To remove those, the operator dumps and restores the database.'),
  'table.not_found':           row(404, 'No such table', (p: { table: number | string }) => `Table ${p.table} does not exist.`),
  'record.not_found':          row(404, 'No such record', (p: { table: number; record: number | string }) => `Table ${p.table} has no record ${p.record}.`),
  'record.stale':              row(412, 'Precondition failed', () => 'The record was changed since the ETag you sent.'),
  'record.too_large':         row(422, 'Record too large', (p: { most: number }) => `The values of a record have at most ${p.most} bytes in all.`),
  'answer.too_large':          row(400, 'Answer too large', (p: { most: number }) => `The values of the answer have more than ${p.most} bytes. Ask for fewer records with page[limit], or for fewer attributes with fields[…].`),
  'attribute.unknown':         row(400, 'Unknown attribute', (p: { name: string; like?: string }) => `There is no attribute '${p.name}'.${namesOfFields(p)}`),
  'attribute.read_only':       row(400, 'Read-only attribute', (p: { name: string }) => `The attribute '${p.name}' cannot be changed.`),
  'field.invalid_value':       row(422, 'Invalid value', (p: { why: string }) => p.why),
  'field.required':            row(422, 'Required value missing', (p: { name: string }) => `'${p.name}' must have a value.`),
  'field.not_unique':          row(409, 'Value already taken', (p: { name: string }) => `Another record already has this value in '${p.name}'.`),
  'field.has_duplicates':      row(409, 'Values are not unique', (p: { name: string; count: number }) => `'${p.name}' holds ${p.count} value${p.count === 1 ? '' : 's'} more than once.`),
  'field.would_lose_data':     row(409, 'Values would be lost', (p: { count: number }) => `${p.count} ${p.count === 1 ? 'record holds' : 'records hold'} a value that cannot be converted. Send convertMode=lossy to convert anyway; these values become empty.`),
  'field.being_converted':     row(409, 'Field is being converted', (p: { job: number }) => `Job ${p.job} converts the values of this field. Wait until it has ended, or cancel it.`),
  'field.changed_meanwhile':   row(409, 'Field changed meanwhile', () => 'The field was changed while its values were converted. Nothing was converted; ask for it again.'),
  'field.not_by_job':          row(422, 'Not converted by a job', (p: { why: string }) => p.why),
  'field.in_use':              row(409, 'Field in use', (p: { why: string }) => p.why),
  'file.field_not_found':      row(404, 'No such file field', (p: { name: string }) => `There is no file field '${p.name}'.`),
  'trash.not_found':           row(404, 'Not in the trash', (p: { entry: number }) => `The trash has no entry ${p.entry}.`),
  'trash.conflict':          row(409, 'Cannot be restored', () => 'It conflicts with something that was created after it was deleted.'),
  'webhook.nothing_to_send':  row(409, 'Nothing to send', () => 'These changes were erased because of their age before they were sent, so they cannot be sent again.'),
  'change.no_state':          row(409, 'No state', (p: { change: number }) => `After change ${p.change}, the record was in the trash.`),
  'record.in_trash':          row(409, 'Record in the trash', (p: { record: number }) => `Record ${p.record} is in the trash. Restore it from there first.`),
  'batch.undone':             row(409, 'Already undone', (p: { batch: number; by: number }) => `Batch ${p.batch} was undone by batch ${p.by}. Undo that one to bring its changes back.`),
  'batch.unfinished':         row(409, 'Undo not finished', (p: { batch: number }) => `The undo of batch ${p.batch} is not finished. Send it again until it is done.`),
  'batch.changed_since':      row(409, 'Changed since', () => 'It was changed since.'),
  'batch.not_undoable':       row(409, 'Cannot be undone', (p: { why: string }) => p.why),
  'change.expired':            row(410, 'Changes have expired', () => 'Changes after this cursor are not there any more: they were too old, or a copy from before was restored. Read the records anew, and begin without a cursor.'),
  'filter.syntax':             row(400, 'Invalid filter', (p: { expected: string }) => `Expected ${p.expected}.`),
  'filter.unknown_function':   row(400, 'Invalid filter', (p: { name: string; known: string }) => `There is no function '${p.name}'. Known: ${p.known}.`),
  'filter.unknown_attribute':  row(400, 'Invalid filter', (p: { name: string; like?: string }) => `There is no attribute '${p.name}' to filter by.${namesOfFields(p)}`),
  'filter.invalid_value':      row(400, 'Invalid filter', (p: { why: string }) => p.why),
  'filter.wrong_kind':         row(400, 'Invalid filter', (p: { fn: string; kind: string }) => `'${p.fn}' does not apply to a ${p.kind} attribute.`),
  'filter.wrong_arity':        row(400, 'Invalid filter', (p: { fn: string; takes: string }) => `'${p.fn}' takes ${p.takes}.`),
  'filter.too_long':           row(400, 'Invalid filter', (p: { most: number; of?: 'bytes' }) => `The filter is longer than ${p.most} ${p.of ?? 'characters'}.`),
  'filter.too_deep':           row(400, 'Invalid filter', (p: { most: number }) => `Functions are nested more than ${p.most} deep.`),
  'filter.too_many_functions': row(400, 'Invalid filter', (p: { most: number }) => `The filter has more than ${p.most} functions.`),
  'filter.too_many_values':    row(400, 'Invalid filter', (p: { most: number }) => `The filter has more than ${p.most} values.`),
  'filter.not_a_reference':    row(400, 'Invalid filter', (p: { name: string }) => `'${p.name}' does not refer to one record, so no attribute can follow it.`),
  'filter.step_not_here':      row(400, 'Invalid filter', (p: { name: string }) => `'${p.name}' is an attribute of another record. Only filters of lists and saved filters can use those: not the filters of groups, of webhooks and of events.`),
  'filter.step_into_itself':   row(400, 'Invalid filter', (p: { most: number }) => `A change or deletion of more than ${p.most} records changes in parts what it finds. So its filter cannot use attributes of other records of the same table.`),
  'filter.too_many_steps':     row(400, 'Invalid filter', (p: { most: number }) => `The filter has more than ${p.most} steps along references.`),
  'filter.too_many_options':   row(400, 'Invalid filter', (p: { most: number }) => `The filter compares more than ${p.most} options: each function on a list field compares all options of the field.`),
  'filter.saved_filter_alone': row(400, 'Invalid filter', () => 'use_filter cannot be combined with any other function.'),
  'filter.unknown_saved_filter': row(400, 'Invalid filter', (p: { id: string }) => `There is no saved filter ${p.id} that can be used here. A filter that is saved cannot use another one.`),
  'filter.saved_filter_invalid': row(400, 'Invalid filter', (p: { id: string; why: string }) => `The saved filter ${p.id} cannot be used: ${p.why}`),
  'filter.malformed_parameter': row(400, 'Invalid filter', (p: { name: string }) => `'${p.name}' must name an attribute, such as filter[f12].`),
  'sort.unknown_attribute':    row(400, 'Invalid sort', (p: { name: string; like?: string }) => `There is no attribute '${p.name}' to sort by.${namesOfFields(p)}`),
  'sort.repeated_attribute':   row(400, 'Invalid sort', (p: { name: string }) => `'${p.name}' is named more than once.`),
  'sort.too_many_attributes':  row(400, 'Invalid sort', (p: { most: number }) => `A list is sorted by at most ${p.most} attributes.`),
  'aggregate.too_many_groups': row(400, 'Too many groups', (p: { most: number }) => `The records are in more than ${p.most} groups. Narrow the filter, or group by a longer period.`),
  'job.too_large':             row(413, 'Job too large', (p: { most: number }) => `What the job is to do takes more than ${p.most} bytes of JSON. Files of more than some kilobytes are changed by other requests.`),
  'job.unknown_kind':          row(422, 'Unknown kind of job', (p: { kind: string; known: string }) => `There is no kind of job '${p.kind}' that can be asked for. Known: ${p.known}.`),
  'job.no_file':               row(404, 'No file', (p: { id: number }) => `Job ${p.id} has no file: it makes none, or it is not done.`),
  'job.not_draft':            row(409, 'Not a draft', () => 'The job has begun: its file and what it is to do cannot be changed any more.'),
  'import.no_file':           row(409, 'No file', () => 'The import has no file yet. Send it by PUT to …/file.'),
  'import.unreadable':        row(422, 'File not readable', (p: { why: string }) => p.why),
  'import.unfit':             row(422, 'Columns do not fit', (p: { why: string }) => p.why),
  'job.restored':              row(409, 'Job of a restored backup', () => 'The job had not ended when the backup was made that was restored, so it was cancelled. What it had done before stays; ask for it again if it is still wanted.'),
  'job.interrupted':           row(500, 'Job interrupted', () => 'The process that ran the job has ended, and the job cannot go on. What it had done before stays.'),
  'parameter.missing':         row(400, 'Parameter missing', (p: { name: string }) => `The query parameter '${p.name}' is needed here.`),
  'parameter.unknown':         row(400, 'Unknown parameter', (p: { name: string; known?: string }) => `There is no query parameter '${p.name}' here.${p.known === undefined ? '' : ` Known: ${p.known}.`}`),
  'parameter.repeated':        row(400, 'Repeated parameter', (p: { name: string }) => `The query parameter '${p.name}' is sent more than once.`),
  'parameter.invalid':         row(400, 'Invalid parameter', (p: { why: string }) => p.why),
  'parameter.malformed':       row(400, 'Malformed query', () => 'A query parameter is not percent-encoded UTF-8.'),
  'export.too_many':          row(429, 'Too many exports', () => 'As many exports run as one user may have. Wait for one of them.', 10),
  'events.too_many':          row(429, 'Too many event streams', () => 'As many streams of events are open as one token, or one user, may have. Close some.', 10),
  'header.invalid':            row(400, 'Invalid header', (p: { why: string }) => p.why),
  'body.malformed':            row(400, 'Malformed body', (p: { why: string }) => p.why),
  'body.too_large':            row(413, 'Body too large', (p: { most: number }) => `The body of the request is larger than ${p.most} bytes.`),
  'body.too_large_besides':   row(413, 'Body too large', (p: { most: number }) => `Besides the contents of files, the body of the request is larger than ${p.most} bytes.`),
  'document.missing_member':   row(400, 'Member missing', (p: { name: string }) => `The document must have '${p.name}'.`),
  'document.invalid_member':   row(400, 'Invalid member', (p: { name: string; must: string }) => `'${p.name}' must be ${p.must}.`),
  'document.wrong_type':       row(409, 'Wrong type', (p: { type: string }) => `The type of this resource is '${p.type}'.`),
  'document.wrong_id':         row(409, 'Wrong id', (p: { id: number }) => `The id of this resource is '${p.id}'.`),
  'document.client_id':        row(403, 'Id not accepted', () => 'The service assigns the ids of new resources.'),
  'include.too_many':         row(400, 'Too much to include', (p: { most: number; of: string }) => `An include follows at most ${p.most} ${p.of}. Ask for fewer records with page[limit], or for fewer relationships.`),
  'include.too_large':        row(400, 'Too much to include', (p: { most: number }) => `The values of the included records have more than ${p.most} bytes. Ask for fewer records with page[limit], or for fewer attributes with fields[…].`),
  'relationship.contradicts': row(400, 'Contradiction', (p: { name: string; attribute: string }) => `The relationship '${p.name}' and the attribute '${p.attribute}' have different values. Send one of them.`),
  'relationship.partial':     row(403, 'Only a part of the relationship', (p: { name: string; most: number }) => `A record shows at most ${p.most} of '${p.name}', and it has more. Change its attribute, or the relationship at its own address.`),
  'relationship.read_only':   row(403, 'Relationship is read-only', (p: { name: string }) => `The relationship '${p.name}' is held by the resources that it leads to. Change them.`),
  'relationship.to_one':      row(403, 'Relationship to one resource', (p: { name: string }) => `The relationship '${p.name}' leads to one resource. PATCH sets it.`),
  'relationship.unknown':      row(400, 'Unknown relationship', (p: { name: string; meant?: string }) => `There is no relationship '${p.name}' that can be written.${p.meant === undefined ? '' : ` That of the field is '${p.meant}'.`}`),
  'page.styles_mixed':         row(400, 'Pages of two kinds', (p: { one: string; other: string }) => `${p.one} and ${p.other} cannot be combined: pages are asked for by page[offset] and page[limit], by page[number] and page[size], or by page[after], page[before] and page[size].`),
  'page.too_large':            row(400, 'Page too large', (p: { most: number }) => `A page has at most ${p.most} resources here.`),
  'request.malformed':         row(400, 'Malformed request', (p: { why: string }) => p.why),
  'request.timed_out':         row(408, 'Request timed out', () => 'The request did not arrive in time.'),
  'request.headers_too_large': row(431, 'Headers too large', () => 'Address and headers of the request are too long.'),
  'request.no_such_path':      row(404, 'No such address', () => 'There is nothing at this address. GET /api/dev lists what there is.'),
  'request.wrong_method':      row(405, 'Method not allowed', (p: { allowed: string }) => `This address accepts ${p.allowed}.`),
  'request.not_acceptable':    row(406, 'Not acceptable', (p: { extension: string | undefined }) => `Answers are of the type application/vnd.api+json, without ${p.extension === undefined ? 'parameters or extensions' : `parameters and other extensions than ${p.extension}`}.`),
  'request.wrong_media_type':  row(415, 'Unsupported media type', (p: { extension: string | undefined }) => p.extension === undefined ? 'Bodies must be of the type application/vnd.api+json, without parameters or extensions.' : `Bodies must be of the type application/vnd.api+json;ext="${p.extension}", without other parameters or extensions.`),
  'request.wrong_encoding':    row(415, 'Unsupported content coding', () => 'Bodies are taken as they are, without a Content-Encoding.'),
  'idempotency.running':       row(409, 'Request still running', () => 'The first request with this Idempotency-Key is still running.', 1),
  'idempotency.other_body':    row(422, 'Idempotency-Key already used', () => 'This Idempotency-Key was used for a request with another body.'),
  'idempotency.too_many':      row(429, 'Too many Idempotency-Keys', () => 'Too many answers are kept for the Idempotency-Keys of the last 24 hours. Try again later, or without a key.', 3600),
  'file.changed':              row(412, 'Precondition failed', () => 'The file is not the one that the condition of the request names.'),
  'file.range_not_satisfiable': row(416, 'Range not satisfiable', (p: { size: number }) => `The file has ${p.size} bytes, and none of the range.`),
  'thumbnail.impossible':      row(422, 'No small image', (p: { why: string }) => `There is no small image of this file: ${p.why}.`),
  'thumbnail.unavailable':     row(501, 'No small images', () => 'The service has no image decoder for its platform. Ask for the file itself.'),
  'file.not_found':            row(404, 'No such file', (p: { name: string }) => `The field holds no file '${p.name}'.`),
  'backup.target_exists':      row(409, 'Target exists', (p: { target: string }) => `'${p.target}' exists already; nothing was changed.`),
  'backup.not_found':          row(404, 'No backup', (p: { source: string }) => `There is no complete backup in '${p.source}': no list of checksums (SHA256SUMS).`),
  'backup.damaged':            row(422, 'Damaged backup', (p: { path: string }) => `'${p.path}' in the backup is missing or was changed.`),
  'backup.source_damaged':    row(409, 'Damaged installation', (p: { path: string }) => `'${p.path}' of the installation is missing or damaged, so no complete backup is possible. Run 'kartoteka check' to see what is wrong.`),
  'restore.not_empty':        row(409, 'Directory not empty', (p: { directory: string; found: string }) => `'${p.directory}' is not empty (${p.found}). Restore into another directory, or add --move-aside, which first moves its contents into a new folder.`),
  'table.too_many_records':   row(409, 'Too many records', (p: { table: number; most: number }) => `Table ${p.table} has more than ${p.most} records, which is too many for one request. kartoteka table copy copies any number.`),
  'structure.invalid':        row(422, 'Invalid structure', (p: { place: string; why: string }) => `The structure document does not fit${p.place === '' ? '' : ` at '${p.place}'`}. ${p.why}`),
  'restore.unfinished':       row(503, 'Restore not finished', () => 'A restore into this directory was interrupted. Run restore again.', null),
  'installation.missing':     row(404, 'No installation', (p: { place: string; setting: string }) => `There is no installation in '${p.place}'. Name the right place with ${p.setting}.`),
  'installation.leftover':    row(409, 'Leftover of a database', (p: { directory: string; log: string }) => `'${p.directory}' holds the write-ahead log of a database ('${p.log}') without its 'kartoteka.sqlite'. Put that file back, or restore a backup with --move-aside.`),
  'installation.moved':       row(503, 'Installation moved', (p: { to: string; when: string; how: string }) => `This installation was moved to ${p.to} on ${p.when}, and the copy here is no longer used. ${p.how}`, null),
  'backup.of_its_own':        row(409, 'Not backed up here', () => 'Back up a PostgreSQL with its own tools, such as pg_dump, and copy the directory or the bucket of the files.'),
  'config.unknown':            row(500, 'Unknown setting', (p: { name: string; known: string } | { name: string; meant: string }) => `There is no setting ${p.name}. ${'meant' in p ? `Did you mean ${p.meant}?` : `Known: ${p.known}.`}`),
  'config.invalid':            row(500, 'Invalid setting', (p: { name: string; value: string; expected: string }) => `${p.name} is '${p.value}'; it must be ${p.expected}.`),
  'config.bucket':             row(500, 'Invalid settings of a bucket', (p: { why: string }) => p.why),
  'config.replicas_alone':     row(500, 'Replicas without a database', () => 'KARTOTEKA_REPLICA_URLS is set without KARTOTEKA_DATABASE_URL. Name the PostgreSQL that the replicas follow, or leave them out.'),
  'migration.target_not_empty': row(409, 'Target not empty', () => 'The target holds another installation; nothing was changed.'),
  'migration.unfinished':      row(503, 'Migration not finished', () => 'A migration to this place was interrupted. Run migrate-store again.', null),
  'migration.in_use':         row(409, 'Database in use', (p: { who: string }) => `A Kartoteka process is connected to the database (${p.who}). Stop it first.`),
  'migration.different':       row(500, 'Migration failed', (p: { table: string; before: number; now: number }) => `Table ${p.table} differs between the two stores (${p.before} rows in the old one, ${p.now} in the new one). Empty the new store and start again.`),
  'phones.other_country':      row(503, 'Other country of telephone numbers', (p: { kept: string; wanted: string }) => `Telephone numbers are compared by the rules of the country '${p.kept}', and KARTOTEKA_PHONE_COUNTRY says '${p.wanted}'. Set it to '${p.kept}', or stop all servers and run 'kartoteka convert-phones --country ${p.wanted}'.`, null),
  'phones.unfinished':         row(503, 'Telephone numbers not converted', (p: { country: string }) => `The conversion of telephone numbers was interrupted. Run 'kartoteka convert-phones --country ${p.country}' again.`, null),
  'database.unreachable':      row(503, 'Database unreachable', (p: { why: string }) => `The database could not be opened: ${p.why}`, null),
  'database.distribution':     row(503, 'Distribution does not fit', (p: { why: string }) => `KARTOTEKA_DISTRIBUTION does not fit the database: ${p.why}`, null),
  'database.foreign':          row(503, 'Foreign database', (p: { table: string }) => `The database has a table '${p.table}' that does not belong to Kartoteka. Use a separate database, or a schema of its own (search_path).`, null),
  'database.damaged':          row(503, 'Database damaged', () => "The database file is damaged, and this part of it cannot be read or written. The operator should run 'kartoteka check' and restore a backup.", null),
  'database.newer':            row(503, 'Data of a newer version', () => 'The data was written by a newer version of Kartoteka. Use that version or a later one.', null),
  'server.directory_in_use':   row(503, 'Data directory in use', (p: { directory: string }) => `Another Kartoteka process is using the data directory '${p.directory}'.`, null),
  'server.directory_read_only': row(503, 'Data directory read-only', (p: { directory: string }) => `The data directory '${p.directory}' is on a read-only file system, and Kartoteka must write to it. Mount it writable, or copy it and name the copy with --data.`, null),
  'server.internal':           row(500, 'Internal error', () => 'The service has a fault. The log of the service has details under the id of this error.'),
  'server.busy':              row(503, 'Server busy', () => 'Too many long requests are waiting. Try again later.', 5),
  'server.too_many_connections': row(503, 'Too many connections', () => 'There are too many connections. Close some, or try again later.', 5),
  'server.bodies_in_flight':  row(503, 'Server busy', () => 'Too many request bodies are being read. Try again later.', 1),
  'server.query_timeout':     row(503, 'Query took too long', (p: { seconds: number }) => `The request took more than ${p.seconds} s of the database and was ended. Try again later; for a list, narrow the filter or ask for a smaller page.`, 5),
  'server.disk_full':          row(503, 'Disk full', () => 'The disk is full, or a quota is reached. Nothing of the request was written.', 5),
  'server.files_unavailable': row(503, 'Files unavailable', () => 'The storage of files does not answer, or refuses what it is asked. Nothing of the request was written.', 5),
  'server.structure_changing': row(409, 'Structure is changing', () => 'The structure of the table is being changed. Try again.', 1),
  'server.unavailable':        row(503, 'Service unavailable', (p: { why: string }) => p.why, 2),
} as const

export type ErrorCode = keyof typeof catalogue
type Params<C extends ErrorCode> = Parameters<(typeof catalogue)[C]['detail']>[0]

/** Thrown anywhere, rendered in one place (http/connections/failures.ts). `message` is the error object's `detail`. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  /** Seconds after which the request may be sent again (header Retry-After); undefined if waiting does not help. */
  readonly retryAfter: number | undefined
  readonly where: Where
  constructor(
    { code, status, title, retryAfter }: Pick<Failure, 'code' | 'status' | 'title' | 'retryAfter'>,
    detail: string,
    where: Where,
  ) {
    super(detail)
    this.name = 'Failure'
    this.code = code
    this.status = status
    this.title = title
    this.retryAfter = retryAfter
    this.where = where
  }
  /** The same failure at another place. */
  at(place: Place): Failure {
    const { meta, headers, type } = this.where
    return new Failure(this, this.message, { ...(meta && { meta }), ...(headers && { headers }), ...(type && { type }), ...place })
  }
  /** The same failure with another place and other details. */
  with(where: Where): Failure {
    return new Failure(this, this.message, where)
  }
  /** Whether it has a place. */
  get isPlaced(): boolean {
    const { attribute, expression, condition, source } = this.where
    return (attribute ?? expression ?? condition ?? source) !== undefined
  }
}

/** Several failures of one request, reported together. The response has the status of the first. */
export class Failures extends Error {
  readonly failures: readonly Failure[]
  constructor(failures: readonly Failure[]) {
    super(failures.map((failure) => failure.message).join(' '))
    this.name = 'Failures'
    this.failures = failures
  }
}

/** Creates a failure; does not throw it. The compiler checks the parameters against the row. */
export function fail<C extends ErrorCode>(
  code: C,
  ...[params, where]: undefined extends Params<C> ? [params?: undefined, where?: Where] : [params: Params<C>, where?: Where]
): Failure {
  const { status, title, detail, retryAfter } = catalogue[code] as Row<Params<C>>
  const seconds = typeof retryAfter === 'function' ? retryAfter(params as Params<C>) : (retryAfter ?? undefined)
  return new Failure({ code, status, title, retryAfter: seconds }, detail(params as Params<C>), where ?? {})
}

export const errorCatalogue: Readonly<Record<ErrorCode, Pick<Row<never>, 'status' | 'title' | 'retryAfter'>>> = catalogue

/** Seconds; null: waiting does not help, a person has to do something. */
type RetryAfter<P> = number | ((params: P) => number) | null

interface Row<P> {
  readonly status: number
  readonly title: string
  readonly detail: (params: P) => string
  readonly retryAfter: RetryAfter<P>
}

/** Rows with the status 429 or 503 must have `retryAfter`, rows with 409 may have it, others not. */
function row<P = undefined>(status: 429 | 503, title: string, detail: (params: P) => string, retryAfter: RetryAfter<P>): Row<P>
function row<P = undefined>(status: 409, title: string, detail: (params: P) => string, retryAfter?: number): Row<P>
function row<P = undefined>(status: Other, title: string, detail: (params: P) => string): Row<P>
function row<P>(status: number, title: string, detail: (params: P) => string, retryAfter: RetryAfter<P> = null): Row<P> {
  return { status, title, detail, retryAfter }
}

type Other = 400 | 401 | 403 | 404 | 405 | 406 | 408 | 410 | 412 | 413 | 415 | 416 | 422 | 431 | 500 | 501
