import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { cruise } from 'dependency-cruiser'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import { root } from './setup.mjs'

/** Files that break one rule each, by its name. */
const cases = [
  [
    'no-cycles',
    {
      'src/sql/a.ts': "import type { B } from './b.ts'\nexport type A = B",
      'src/sql/b.ts': "import type { A } from './a.ts'\nexport type B = A",
    },
  ],
  ['sql-stays-in-its-layer', { 'src/sql/a.ts': "import '../store/b.ts'", 'src/store/b.ts': '' }],
  [
    'fields-stays-in-its-layer',
    { 'src/fields/a.ts': "import type { B } from '../filter/b.ts'\nexport type A = B", 'src/filter/b.ts': 'export type B = 1' },
  ],
  ['filter-stays-in-its-layer', { 'src/filter/a.ts': "import '../store/b.ts'", 'src/store/b.ts': '' }],
  ['store-stays-in-its-layer', { 'src/store/a.ts': "import '../http/b.ts'", 'src/http/b.ts': '' }],
  ['http-stays-in-its-layer', { 'src/http/a.ts': "import '../config.ts'", 'src/config.ts': '' }],
  ['documents-stays-in-its-layer', { 'src/documents/a.ts': "import '../http/b.ts'", 'src/http/b.ts': '' }],
  ['http-documents-stays-in-its-room', { 'src/http/documents/a.ts': "import '../handlers/b.ts'", 'src/http/handlers/b.ts': '' }],
  ['app-stays-in-its-layer', { 'src/app.ts': "import './cli/b.ts'", 'src/cli/b.ts': '' }],
  ['cli-stays-in-its-layer', { 'src/cli/a.ts': "import '../http/b.ts'", 'src/http/b.ts': '' }],
  ['main-stays-in-its-layer', { 'src/main.ts': "import './app.ts'", 'src/app.ts': '' }],
  ['config-stays-in-its-layer', { 'src/config.ts': "import './store/b.ts'", 'src/store/b.ts': '' }],
  ['limits-stays-in-its-layer', { 'src/limits.ts': "import './errors.ts'", 'src/errors.ts': '' }],
  ['webhooks-stays-in-its-layer', { 'src/webhooks/a.ts': "import '../store/b.ts'", 'src/store/b.ts': '' }],
  ['transfer-stays-in-its-layer', { 'src/transfer/a.ts': "import '../http/b.ts'", 'src/http/b.ts': '' }],
  ['jobs-stays-in-its-layer', { 'src/jobs/a.ts': "import '../http/b.ts'", 'src/http/b.ts': '' }],
  ['store-jobs-stays-in-its-room', { 'src/store/jobs/a.ts': "import '../upkeep/b.ts'", 'src/store/upkeep/b.ts': '' }],
  ['deliveries-stays-in-its-layer', { 'src/deliveries/a.ts': "import '../app.ts'", 'src/app.ts': '' }],
  ['one-place-sends-requests', { 'src/store/a.ts': "import 'node:https'" }],
  ['one-place-sends-requests', { 'src/http/a.ts': "import 'node:dns/promises'" }],
  ['memory-stays-in-its-layer', { 'src/memory/a.ts': "import '../errors.ts'", 'src/errors.ts': '' }],
  ['sets-stays-in-its-layer', { 'src/sets/a.ts': "import '../errors.ts'", 'src/errors.ts': '' }],
  ['metrics-stays-in-its-layer', { 'src/metrics/a.ts': "import '../errors.ts'", 'src/errors.ts': '' }],
  ['errors-stays-in-its-layer', { 'src/errors.ts': "import './sql/b.ts'", 'src/sql/b.ts': '' }],
  ['store-stays-in-its-layer', { 'src/store/a.ts': "import '../../test/b.ts'", 'test/b.ts': '' }],
  ['store-model-stays-in-its-room', { 'src/store/model/a.ts': "import '../ground/b.ts'", 'src/store/ground/b.ts': '' }],
  ['store-files-stays-in-its-room', { 'src/store/files/a.ts': "import '../model/b.ts'", 'src/store/model/b.ts': '' }],
  [
    'store-ground-stays-in-its-room',
    { 'src/store/ground/a.ts': "import type { B } from '../lists/b.ts'\nexport type A = B", 'src/store/lists/b.ts': 'export type B = 1' },
  ],
  ['store-s3-stays-in-its-room', { 'src/store/s3/a.ts': "import '../ground/b.ts'", 'src/store/ground/b.ts': '' }],
  ['store-scheduling-stays-in-its-room', { 'src/store/scheduling/a.ts': "import '../ground/b.ts'", 'src/store/ground/b.ts': '' }],
  ['store-schema-stays-in-its-room', { 'src/store/schema/a.ts': "import '../catalogue/b.ts'", 'src/store/catalogue/b.ts': '' }],
  ['store-catalogue-stays-in-its-room', { 'src/store/catalogue/a.ts': "import '../sqlite/b.ts'", 'src/store/sqlite/b.ts': '' }],
  ['store-sqlite-stays-in-its-room', { 'src/store/sqlite/a.ts': "import '../catalogue/b.ts'", 'src/store/catalogue/b.ts': '' }],
  ['store-postgres-stays-in-its-room', { 'src/store/postgres/a.ts': "import '../sqlite/b.ts'", 'src/store/sqlite/b.ts': '' }],
  ['store-people-stays-in-its-room', { 'src/store/people/a.ts': "import '../records/b.ts'", 'src/store/records/b.ts': '' }],
  ['store-thumbnails-stays-in-its-room', { 'src/store/thumbnails/a.ts': "import '../records/b.ts'", 'src/store/records/b.ts': '' }],
  ['store-records-stays-in-its-room', { 'src/store/records/a.ts': "import '../structure/b.ts'", 'src/store/structure/b.ts': '' }],
  ['store-indexes-stays-in-its-room', { 'src/store/indexes/a.ts': "import '../records/b.ts'", 'src/store/records/b.ts': '' }],
  ['store-positions-stays-in-its-room', { 'src/store/positions/a.ts': "import '../sets/b.ts'", 'src/store/sets/b.ts': '' }],
  ['store-sets-stays-in-its-room', { 'src/store/sets/a.ts': "import '../lists/b.ts'", 'src/store/lists/b.ts': '' }],
  ['store-structure-stays-in-its-room', { 'src/store/structure/a.ts': "import '../lists/b.ts'", 'src/store/lists/b.ts': '' }],
  ['store-lists-stays-in-its-room', { 'src/store/lists/a.ts': "import '../structure/b.ts'", 'src/store/structure/b.ts': '' }],
  ['store-changes-stays-in-its-room', { 'src/store/changes/a.ts': "import '../undo/b.ts'", 'src/store/undo/b.ts': '' }],
  ['store-undo-stays-in-its-room', { 'src/store/undo/a.ts': "import '../upkeep/b.ts'", 'src/store/upkeep/b.ts': '' }],
  ['store-webhooks-stays-in-its-room', { 'src/store/webhooks/a.ts': "import '../upkeep/b.ts'", 'src/store/upkeep/b.ts': '' }],
  ['store-upkeep-stays-in-its-room', { 'src/store/upkeep/a.ts': "import '../open.ts'", 'src/store/open.ts': '' }],
  ['every-folder-of-store-is-a-room', { 'src/store/ground/a.ts': "import '../misc/b.ts'", 'src/store/misc/b.ts': '' }],
  ['http-pages-stays-in-its-room', { 'src/http/pages/a.ts': "import '../routing/b.ts'", 'src/http/routing/b.ts': '' }],
  ['web-api-stays-in-its-room', { 'web/api/a.ts': "import '../i18n/b.ts'", 'web/i18n/b.ts': '' }],
  ['web-i18n-stays-in-its-room', { 'web/i18n/a.ts': "import '../ui/b.ts'", 'web/ui/b.ts': '' }],
  ['web-ui-stays-in-its-room', { 'web/ui/a.ts': "import '../commands/b.ts'", 'web/commands/b.ts': '' }],
  ['web-commands-stays-in-its-room', { 'web/commands/a.ts': "import '../fields/b.ts'", 'web/fields/b.ts': '' }],
  ['web-fields-stays-in-its-room', { 'web/fields/a.ts': "import '../table/b.ts'", 'web/table/b.ts': '' }],
  ['web-grid-stays-in-its-room', { 'web/grid/a.ts': "import '../table/b.ts'", 'web/table/b.ts': '' }],
  ['web-filter-stays-in-its-room', { 'web/filter/a.ts': "import '../table/b.ts'", 'web/table/b.ts': '' }],
  ['web-views-stays-in-its-room', { 'web/views/a.ts': "import '../app/b.ts'", 'web/app/b.ts': '' }],
  ['web-admin-stays-in-its-room', { 'web/admin/a.ts': "import '../app/b.ts'", 'web/app/b.ts': '' }],
  ['web-table-stays-in-its-room', { 'web/table/a.ts': "import '../app/b.ts'", 'web/app/b.ts': '' }],
  ['web-changes-stays-in-its-room', { 'web/changes/a.ts': "import '../import/b.ts'", 'web/import/b.ts': '' }],
  ['web-trash-stays-in-its-room', { 'web/trash/a.ts': "import '../import/b.ts'", 'web/import/b.ts': '' }],
  ['web-manual-stays-in-its-room', { 'web/manual/a.ts': "import '../search/b.ts'", 'web/search/b.ts': '' }],
  ['web-search-stays-in-its-room', { 'web/search/a.ts': "import '../table/b.ts'", 'web/table/b.ts': '' }],
  ['web-api-panel-stays-in-its-room', { 'web/api-panel/a.ts': "import '../table/b.ts'", 'web/table/b.ts': '' }],
  ['web-import-stays-in-its-room', { 'web/import/a.ts': "import '../table/b.ts'", 'web/table/b.ts': '' }],
  ['web-record-stays-in-its-room', { 'web/record/a.ts': "import '../app/b.ts'", 'web/app/b.ts': '' }],
  ['web-app-stays-in-its-room', { 'web/app/a.ts': "import '../../src/sql/b.ts'", 'src/sql/b.ts': '' }],
  ['only-the-api-of-web-imports-the-client', { 'web/record/a.ts': "import '../../client/b.ts'", 'client/b.ts': '' }],
  ['every-folder-of-web-is-a-room', { 'web/misc/a.ts': "import '../api/b.ts'", 'web/api/b.ts': '' }],
  ['no-import-of-web', { 'src/app/a.ts': "import '../../web/api/b.ts'", 'web/api/b.ts': '' }],
  ['http-routing-stays-in-its-room', { 'src/http/routing/a.ts': "import '../answers/b.ts'", 'src/http/answers/b.ts': '' }],
  ['http-bodies-stays-in-its-room', { 'src/http/bodies/a.ts': "import '../answers/b.ts'", 'src/http/answers/b.ts': '' }],
  [
    'http-answers-stays-in-its-room',
    {
      'src/http/answers/a.ts': "import type { B } from '../connections/b.ts'\nexport type A = B",
      'src/http/connections/b.ts': 'export type B = 1',
    },
  ],
  ['http-resources-stays-in-its-room', { 'src/http/resources/a.ts': "import '../handlers/b.ts'", 'src/http/handlers/b.ts': '' }],
  ['http-connections-stays-in-its-room', { 'src/http/connections/a.ts': "import '../resources/b.ts'", 'src/http/resources/b.ts': '' }],
  ['http-handlers-stays-in-its-room', { 'src/http/handlers/a.ts': "import '../routes.ts'", 'src/http/routes.ts': '' }],
  ['every-folder-of-http-is-a-room', { 'src/http/handlers/a.ts': "import '../misc/b.ts'", 'src/http/misc/b.ts': '' }],
  ['cli-explain-stays-in-its-room', { 'src/cli/explain/a.ts': "import '../terminal/b.ts'", 'src/cli/terminal/b.ts': '' }],
  ['cli-terminal-stays-in-its-room', { 'src/cli/terminal/a.ts': "import '../contract/b.ts'", 'src/cli/contract/b.ts': '' }],
  ['cli-directory-stays-in-its-room', { 'src/cli/directory/a.ts': "import '../program.ts'", 'src/cli/program.ts': '' }],
  [
    'cli-contract-stays-in-its-room',
    {
      'src/cli/contract/a.ts': "import type { B } from '../commands/b.ts'\nexport type A = B",
      'src/cli/commands/b.ts': 'export type B = 1',
    },
  ],
  ['cli-commands-stays-in-its-room', { 'src/cli/commands/a.ts': "import '../perform.ts'", 'src/cli/perform.ts': '' }],
  ['every-folder-of-cli-is-a-room', { 'src/cli/contract/a.ts': "import '../misc/b.ts'", 'src/cli/misc/b.ts': '' }],
  ['commands-do-not-know-each-other', { 'src/cli/commands/a.ts': "import './b.ts'", 'src/cli/commands/b.ts': '' }],
  ['commands-do-not-know-each-other', { 'src/cli/commands/a/b.ts': "import '../ab/c.ts'", 'src/cli/commands/ab/c.ts': '' }],
  ['the-table-alone-knows-commands', { 'src/cli/perform.ts': "import './commands/b.ts'", 'src/cli/commands/b.ts': '' }],
  ['every-folder-has-a-layer', { 'src/sql/a.ts': "import '../utils/b.ts'", 'src/utils/b.ts': '' }],
  ['lists-stay-behind-their-port', { 'src/store/upkeep/a.ts': "import '../lists/b.ts'", 'src/store/lists/b.ts': '' }],
  ['lists-stay-behind-their-port', { 'src/store/changes/a.ts': "import '../sets/b.ts'", 'src/store/sets/b.ts': '' }],
  ['one-reader-of-lists', { 'src/store/lists/a.ts': "import './sql-list-reader.ts'", 'src/store/lists/sql-list-reader.ts': '' }],
  ['pure-below-the-store', { 'src/fields/a.ts': "import 'node:fs'" }],
  ['pure-below-the-store', { 'src/filter/a.ts': "import 'fast-check'" }],
  ['field-types-do-not-know-each-other', { 'src/fields/text.ts': "import './email.ts'", 'src/fields/email.ts': '' }],
  ['handlers-do-not-know-each-other', { 'src/http/handlers/a.ts': "import './b.ts'", 'src/http/handlers/b.ts': '' }],
  ['better-sqlite3-has-one-place', { 'src/http/a.ts': "import 'better-sqlite3'" }],
  ['node-rs-argon2-has-one-place', { 'src/http/a.ts': "import '@node-rs/argon2'" }],
  ['fastify-has-one-place', { 'src/store/a.ts': "import type { A } from 'fastify'\nexport type B = A" }],
  ['fastify-has-one-place', { 'src/http/handlers/a.ts': "import type { A } from 'fastify'\nexport type B = A" }],
  ['mrmime-has-one-place', { 'src/http/a.ts': "import 'mrmime'" }],
  ['pino-has-one-place', { 'src/store/a.ts': "import 'pino'" }],
  ['aws4fetch-has-one-place', { 'src/store/files/a.ts': "import 'aws4fetch'" }],
  ['sharp-has-one-place', { 'src/http/a.ts': "import 'sharp'" }],
  ['yauzl-has-one-place', { 'src/store/a.ts': "import 'yauzl'" }],
  ['yazl-has-one-place', { 'src/http/a.ts': "import 'yazl'" }],
  ['saxes-has-one-place', { 'src/cli/a.ts': "import 'saxes'" }],
  ['papaparse-has-one-place', { 'src/store/a.ts': "import 'papaparse'" }],
  ['pg-has-one-place', { 'src/http/a.ts': "import 'pg'" }],
  ['pino-has-one-place', { 'src/cli/commands/a.ts': "import 'pino'" }],
  ['commander-has-one-place', { 'src/app.ts': "import 'commander'" }],
  ['only-what-we-declared', { 'src/store/a.ts': "import 'fast-check'" }],
  ['no-orphans', { 'src/store/a.ts': 'export const a = 1' }],
]

let folder
before(() => (folder = mkdtempSync(join(tmpdir(), 'dependency-rules-'))))
afterEach(() => process.chdir(root))
after(() => rmSync(folder, { recursive: true, force: true }))

test('every rule is broken below', () => {
  const { forbidden } = createRequire(import.meta.url)('../dependency-rules.cjs')
  const untried = forbidden.map(({ name }) => name).filter((name) => !cases.some(([rule]) => rule === name))
  assert.deepEqual(untried, [])
})

for (const [rule, files] of cases) {
  test(`${rule} is reported for ${Object.keys(files).join(' and ')}`, async () => {
    const place = mkdtempSync(join(folder, 'case-'))
    const index =
      "import './text.ts'\nimport { email } from './email.ts'\nimport { text } from './text.ts'\nexport const all = [email, text]\n"
    for (const [file, text] of Object.entries({ 'src/fields/index.ts': index, ...files })) write(join(place, file), text)
    for (const file of ['dependency-rules.cjs', 'tsconfig.json', 'package.json']) copyFileSync(join(root, file), join(place, file))
    const said = await brokenIn(place)
    assert.ok(said.includes(rule), said.join('\n'))
  })
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The rules that the tool reports as errors for a tree. In this process: a process for each tree takes three times as long. */
async function brokenIn(place) {
  process.chdir(place)
  const { forbidden, options } = await extractConfig(join(place, 'dependency-rules.cjs'))
  const folders = existsSync(join(place, 'web')) ? ['src', 'web'] : ['src']
  const { output } = await cruise(folders, { ...options, ruleSet: { forbidden }, validate: true })
  return output.summary.violations.filter(({ rule }) => rule.severity === 'error').map(({ rule }) => rule.name)
}
