/** The arrows of ARCHITECTURE.md, checked by `npm run check`. A layer may import itself and what is listed for it. */
const { existsSync, readFileSync } = require('node:fs')

const layers = {
  limits: [],
  memory: [],
  // Sets of ids, and orders of them, that change in place.
  sets: ['memory'],
  // What a process counts: the port and what stands behind it.
  metrics: [],
  errors: [],
  config: ['limits', 'errors'],
  sql: ['limits', 'errors'],
  fields: ['limits', 'errors', 'memory', 'sql'],
  filter: ['limits', 'errors', 'memory', 'sql', 'fields'],
  store: ['limits', 'errors', 'memory', 'sets', 'sql', 'fields', 'filter', 'webhooks'],
  // Files of records, out and in: reading, guessing, importing.
  transfer: ['limits', 'errors', 'memory', 'fields', 'filter', 'store'],
  // What a table is, as JSON Schema and as TypeScript types.
  documents: ['limits', 'errors', 'memory', 'fields', 'store'],
  // Work that takes longer than a request: its kinds, and what runs them.
  jobs: ['limits', 'errors', 'memory', 'fields', 'filter', 'store', 'transfer'],
  http: ['limits', 'errors', 'memory', 'metrics', 'fields', 'filter', 'store', 'transfer', 'documents', 'jobs'],
  // Requests that the service sends itself.
  webhooks: ['limits'],
  // What follows the log of changes and sends it to webhooks.
  deliveries: ['limits', 'errors', 'memory', 'filter', 'store', 'http', 'webhooks'],
  app: ['limits', 'errors', 'config', 'metrics', 'store', 'jobs', 'http', 'webhooks', 'deliveries'],
  cli: ['limits', 'errors', 'config', 'memory', 'fields', 'filter', 'store', 'transfer', 'documents', 'app'],
  main: ['cli'],
}

/**
 * The rooms of a layer, from the ground up: a room may import itself and every room of a line before its own. The files that lie
 * beside the rooms put them together; no room imports those.
 */
const rooms = {
  store: [
    ['model', 'files'],
    ['scheduling', 's3'],
    ['ground'],
    ['schema'],
    ['catalogue', 'sqlite', 'postgres'],
    ['people', 'thumbnails'],
    ['records', 'indexes'],
    ['positions'],
    ['sets'],
    ['structure', 'lists', 'changes'],
    ['undo', 'webhooks', 'jobs'],
    ['upkeep'],
  ],
  http: [['pages'], ['routing'], ['bodies', 'answers'], ['resources', 'connections'], ['documents'], ['handlers']],
  cli: [['explain'], ['terminal'], ['directory'], ['contract'], ['commands']],
}

/** The rooms of the web pages (web/), from the ground up. They import nothing of src. */
const webRooms = [
  ['api'],
  ['i18n'],
  ['ui'],
  ['commands'],
  ['fields'],
  ['api-panel'],
  ['grid'],
  ['filter'],
  ['views'],
  ['record'],
  ['table', 'import', 'trash', 'changes', 'search', 'admin', 'manual'],
  ['app'],
]

/** Each package has one place that knows it, so that replacing it is a change in one place. */
const packages = {
  aws4fetch: '^src/store/s3/',
  'better-sqlite3': '^src/store/sqlite/',
  '@node-rs/argon2': '^src/store/people/',
  pg: '^src/store/postgres/',
  fastify: '^src/http/((server|exchange|identify|watch)\\.ts|bodies/|connections/)',
  mrmime: '^src/store/records/',
  pino: '^src/cli/commands/serve/',
  sharp: '^src/store/thumbnails/',
  papaparse: '^src/(transfer|cli/commands)/',
  yauzl: '^src/transfer/',
  yazl: '^src/transfer/',
  saxes: '^src/transfer/',
  commander: '^src/cli/program\\.ts$',
}

const list = 'src/fields/index.ts'
const listed = existsSync(list) ? [...readFileSync(list, 'utf8').matchAll(/ from '\.\/([a-z-]+)\.ts'/g)].map(([, file]) => file) : []
const fieldTypes = `^src/fields/(${listed.filter((file) => file !== 'field-type').join('|')})\\.ts$`

const path = (layer) => `^src/${layer}(/|\\.ts$)`

module.exports = {
  forbidden: [
    { name: 'no-cycles', comment: 'Types count too.', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(layers).map(([layer, below]) => ({
      name: `${layer}-stays-in-its-layer`,
      severity: 'error',
      from: { path: path(layer) },
      to: { path: '^(src|bin|scripts|test|bench)/', pathNot: [layer, ...below].map(path) },
    })),
    { name: 'every-folder-has-a-layer', severity: 'error', from: {}, to: { path: '^src/', pathNot: Object.keys(layers).map(path) } },
    ...Object.entries(rooms).flatMap(([layer, lines]) => [
      ...lines.flatMap((names, i) =>
        names.map((room) => ({
          name: `${layer}-${room}-stays-in-its-room`,
          severity: 'error',
          from: { path: `^src/${layer}/${room}/` },
          to: { path: `^src/${layer}/`, pathNot: [room, ...lines.slice(0, i).flat()].map((below) => `^src/${layer}/${below}/`) },
        })),
      ),
      {
        name: `every-folder-of-${layer}-is-a-room`,
        severity: 'error',
        from: { path: '^src/' },
        to: { path: `^src/${layer}/[^/]+/`, pathNot: lines.flat().map((room) => `^src/${layer}/${room}/`) },
      },
    ]),
    ...webRooms.flatMap((names, i) =>
      names.map((room) => ({
        name: `web-${room}-stays-in-its-room`,
        severity: 'error',
        from: { path: `^web/${room}/` },
        to: {
          path: '^(src|bin|scripts|test|bench|web)/',
          pathNot: ['node_modules', ...[room, ...webRooms.slice(0, i).flat()].map((below) => `^web/${below}/`)],
        },
      })),
    ),
    {
      name: 'every-folder-of-web-is-a-room',
      severity: 'error',
      from: { path: '^web/', pathNot: ['node_modules', ...webRooms.flat().map((room) => `^web/${room}/`)] },
      to: {},
    },
    {
      name: 'only-the-api-of-web-imports-the-client',
      comment: 'web/api is the only room that sends requests; it does so by the typed client.',
      severity: 'error',
      from: { path: '^web/', pathNot: ['node_modules', '^web/api/'] },
      to: { path: '^client/' },
    },
    { name: 'no-import-of-web', severity: 'error', from: { path: '^src/' }, to: { path: '^web/' } },
    {
      name: 'commands-do-not-know-each-other',
      comment:
        'A command is a file of src/cli/commands/, or a folder where it has helpers. What two commands share is in src/cli/contract/.',
      severity: 'error',
      from: { path: '^src/cli/commands/([^/]+)' },
      to: { path: '^src/cli/commands/', pathNot: '^src/cli/commands/$1(/|$)' },
    },
    {
      name: 'the-table-alone-knows-commands',
      comment: 'Besides program.ts, which has the commands that work without an open installation.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/(commands/|(commands|program)\\.ts$)' },
      to: { path: '^src/cli/commands/' },
    },
    {
      name: 'lists-stay-behind-their-port',
      comment: 'Everybody asks ground/pages.ts; what opens a store chooses what answers, so that it can be exchanged.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/store/((lists|sets|positions)/|open[^/]*\\.ts$)' },
      to: { path: '^src/store/(lists|sets|positions)/' },
    },
    {
      name: 'one-reader-of-lists',
      comment:
        'lists/pages.ts knows the port list-reader.ts; which readers stand behind it, lists/keep-lists.ts, lists/keep-local.ts and lists/keep-shared.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/store/lists/keep-(lists|local|shared)\\.ts$' },
      to: { path: '^src/store/lists/(sql|set)-list-reader\\.ts$' },
    },
    {
      name: 'pure-below-the-store',
      comment: 'Plain functions: no node:, no packages.',
      severity: 'error',
      from: { path: '^src/(limits|memory|sets|errors|sql|fields|filter)(/|\\.ts$)' },
      to: { pathNot: '^src/' },
    },
    {
      name: 'one-place-sends-requests',
      comment:
        'src/webhooks/ checks where a request goes; src/store/s3/ sends them to the bucket of the operator alone. Lint holds the same for node:http, whose types servers need, and for fetch.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(webhooks|store/s3)/' },
      to: { path: '^(node:)?(https|http2|dns|dns/promises)$' },
    },
    {
      name: 'field-types-do-not-know-each-other',
      comment: 'What two types share is a file of its own.',
      severity: 'error',
      from: { path: '^src/fields/', pathNot: '^src/fields/index\\.ts$' },
      to: { path: fieldTypes },
    },
    {
      name: 'handlers-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/http/handlers/' },
      to: { path: '^src/http/handlers/' },
    },
    ...Object.entries(packages).map(([name, place]) => ({
      name: `${name.replace(/\W+/g, '-').replace(/^-/, '')}-has-one-place`,
      severity: 'error',
      from: { path: '^src/', pathNot: place },
      to: { path: `^(node_modules/)?(@types/)?${name}(/|$)` },
    })),
    {
      name: 'only-what-we-declared',
      comment: 'A package the program needs stands in dependencies.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'undetermined', 'unknown'], pathNot: ['^node_modules/@types/'] },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '^src/(main\\.ts|http/documents/reference\\.mjs)$' },
      to: {},
    },
  ],
  options: {
    // Sees imports of types as well; TypeScript 7 has no interface that this tool knows.
    parser: 'swc',
    exclude: { path: '\\.test\\.ts$' },
    doNotFollow: { path: 'node_modules' },
  },
}
