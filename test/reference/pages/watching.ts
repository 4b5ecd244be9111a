import type { Page } from '../play.ts'

export const watching: Page = {
  file: 'watching',
  title: 'Health and metrics',
  says: `For programs that watch the service, and for whoever opens its address in a browser. These paths are beside the interface: their answers
are no documents of JSON:API, except errors. How to use them is in [operations](../operations.md#monitoring).`,
  endpoints: [
    {
      route: 'GET /healthz',
      title: 'Ask whether the process lives',
      who: 'everybody.',
      notes:
        'No answer within some seconds means that the process hangs, and should be restarted. 200 is answered also while it starts or stops.',
      shows: [{ path: '/healthz', by: null }],
    },
    {
      route: 'GET /readyz',
      title: 'Ask whether it can be used',
      who: 'everybody.',
      notes: `For load balancers. 503 has a \`reason\`: \`starting\`, \`stopping\`, \`database\` (it does not answer within 2 s), \`migrations\` (the database is of another
version than the program), \`moved\` (\`migrate-store\`), \`disk\` (less than 32 MiB are free where the data directory is), and a sentence in \`detail\`. It does not
wait for other requests, and an answer is used again for a second.`,
      shows: [{ path: '/readyz', by: null }],
    },
    {
      route: 'GET /metrics',
      title: 'Read metrics',
      who: 'administrators, and whoever sends `KARTOTEKA_METRICS_TOKEN` as token; with that, the database is not asked.',
      notes:
        'The text format of Prometheus, version 0.0.4. [Operations](../operations.md#metrics) lists all metrics. Some lines of an answer:',
      shows: [{ path: '/metrics', lines: /(^# .* |"\/healthz".*|^)kartoteka_http_requests_total( |.*healthz)/ }],
      refuses: [
        ['no token is sent', { path: '/metrics', by: null, code: 'auth.token_missing' }],
        ['the caller is no administrator', { path: '/metrics', by: 'ANNA', code: 'access.denied' }],
      ],
    },
    {
      route: 'GET /installation',
      title: 'Ask for versions, sizes and settings',
      who: 'administrators.',
      notes: `\`engine\` is the database with its version; \`database_bytes\` its size (over Citus that of the coordinator), \`database_unused_bytes\` what of that new data will take, and
\`database_log_bytes\` the write-ahead log (both null over PostgreSQL). \`files\` has how many files records and the trash have, and their bytes; \`all\` is false where only the first of more than 10,000
are counted. \`free_bytes\` is what the disk of the data directory has left (null: it does not tell), \`memory_bytes\` what the process takes. \`lists\` tells what lists keep in memory (null on Citus): \`kept\` how many sets and orders, \`dropped\` how many had to go for want of room. \`settings\` has each [setting](../settings.md) with its value, its default, and its \`source\`:
\`flag\`, \`environment\` or \`default\`. Of a secret it tells only whether there is one (\`…\`); addresses of databases are without user, password and parameters.
Some lines of an answer:`,
      shows: [{ path: '/installation', lines: /^[{}]$|"(time_zone|settings)"/ }],
      refuses: [
        ['no token is sent', { path: '/installation', by: null, code: 'auth.token_missing' }],
        ['the caller is no administrator', { path: '/installation', by: 'ANNA', code: 'access.denied' }],
      ],
    },
    {
      route: 'GET /',
      title: 'Open the address in a browser',
      who: 'everybody.',
      notes:
        'Only where `Accept` names `text/html`, and not the media type of the interface. For other clients the path does not exist (404), as before.',
      shows: [{ path: '/', by: null, headers: { Accept: 'text/html' } }],
    },
    {
      route: 'GET /reference',
      title: 'Read the reference in a browser',
      who: 'everybody the page; what it shows depends on the session of the browser, or on the token that one gives it.',
      notes:
        'It shows all endpoints with the tables and fields that one may see (`/api/dev/openapi.json`), and sends requests. A token stays in the memory of the page. Everything comes from this service.',
      shows: [{ path: '/reference', by: null, headers: { Accept: 'text/html' }, lines: /^<(!doctype|title|header)/ }],
    },
  ],
}
