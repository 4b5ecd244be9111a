/* On which engines the tests of each folder run, and what a run leaves out that names no file. */

/** The engines of each folder of test/ (test/README.md). */
const FOLDERS = {
  sqlite: [
    'browser',
    'architecture',
    'clients',
    'crash',
    'damage',
    'fuzz',
    'growth',
    'guides',
    'limits',
    'lists',
    'reference',
    'soak',
    'sqlite',
    'standard',
    // What a connection does, no store knows.
    'http/connections',
  ],
  'sqlite postgres citus': ['cli', 'differential', 'fields', 'filter', 'http', 'standard/store', 'store'],
  // Over Citus there is no index of words, and no set of a list.
  'sqlite postgres': ['store/words', 'store/sets'],
  postgres: ['postgres'],
  'postgres citus': ['postgres-and-citus'],
  // Nobody can start a cluster here.
  citus: ['citus'],
}

/** The engines of a test file; undefined in a folder that is not among them. Tests in src/ and web/ run once, on SQLite. */
export function enginesOf(file) {
  if (file.startsWith('src/') || file.startsWith('web/')) return ['sqlite']
  const all = Object.entries(FOLDERS).flatMap(([engines, names]) => names.map((name) => ({ name, engines })))
  const within = all.filter(({ name }) => file.startsWith(`test/${name}/`)).sort((one, other) => other.name.length - one.name.length)
  return within[0]?.engines.split(' ')
}

/** Beginnings of paths of what `npm test` runs on SQLite alone where no file is named; `npm test -- --all` runs it on PostgreSQL too. */
export const ONCE = ['test/cli/']

/** What starts programs, kills, waits or tries much: a quick run that names no file leaves it out, and says so. */
export const SLOW = [
  'src/cli/contract/command',
  'src/http/bodies/large-bodies',
  'src/transfer/xlsx',
  'test/architecture/new-field-type',
  'test/browser',
  'test/cli',
  'test/clients',
  'test/crash',
  'test/damage',
  'test/differential',
  'test/fuzz',
  'test/guides',
  'test/http/changes/deliveries',
  'test/http/changes/events',
  'test/http/changes/followed-view',
  'test/http/changes/resource-changes',
  'test/http/changes/undo',
  'test/http/changes/webhook-kills',
  'test/http/connections',
  'test/http/files/streamed-files',
  'test/http/files/thumbnails',
  'test/http/jobs',
  'test/http/lists/costly-lists',
  'test/http/lists/cursors',
  'test/http/lists/http-oracle',
  'test/http/lists/long-lists',
  'test/http/people/decisions-rights',
  'test/http/people/decisions-tokens',
  'test/http/people/sign-in',
  'test/http/people/token-matrix',
  'test/http/protocol/hostile-texts',
  'test/http/protocol/large-bodies',
  'test/http/protocol/server',
  'test/http/records/export',
  'test/http/records/long-records',
  'test/http/structure/quotas',
  'test/http/watching',
  'test/limits',
  'test/reference',
  'test/sqlite',
  'test/standard/query-parameters',
  'test/store/check-log',
  'test/store/checksums',
  'test/store/conversion-jobs',
  'test/store/listeners',
  'test/store/paging',
  'test/store/sets',
  'test/store/sorted-pages',
  'test/store/structure',
  'test/store/tokens',
  'test/store/walk-records',
  'test/store/words',
  'web/api-panel/snippets',
]

/** Whether a file begins with one of these paths. */
export const isBelow = (file, paths) => paths.some((path) => file.startsWith(path))
