/*
 * npm test [-- [--all | --quick | --long] [--slowest] [--sqlite | --postgres] [file or name …]]: the test-suite, on SQLite and then, for what
 * depends on the store, but for the commands (test-folders.mjs), on a real PostgreSQL that is started for it; with DB=citus instead on the Citus cluster whose
 * coordinator KARTOTEKA_TEST_CITUS_URL names (docs/citus.md). --all runs the commands on PostgreSQL too. An argument that occurs in the path of a test file chooses that
 * file, any other chooses tests by words of their name, as they stand in the file. --quick has fewer random cases, is
 * SQLite alone unless --postgres is said, and leaves out folders that it names; --long kills at every step where `npm test` does so at some. --slowest
 * runs each file in a process of its own (otherwise test-groups.mjs) and prints those that cost most. Random tests take their seed from KARTOTEKA_TEST_SEED, which is printed: by default
 * always the same where CI is set, otherwise a new one each time.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unsteadyIn } from './failures-reporter.mjs'
import { enginesOf, isBelow, ONCE, SLOW } from './test-folders.mjs'
import { groupsOf, makeMemory } from './test-groups.mjs'
import { startPostgres } from './postgres.mjs'
import { ensureChromium, ensureClients, ensureDependencies, ensureNode, ensureWeb, orExplain, root, SetupFailure } from './setup.mjs'

orExplain(() => ensureDependencies({ development: true }))
const node = orExplain(ensureNode)

const flags = new Set(['--all', '--quick', '--long', '--slowest', '--sqlite', '--postgres'])
const args = process.argv.slice(2)
const wanted = args.filter((arg) => !flags.has(arg))
const rooms = readdirSync(join(root, 'web'), { withFileTypes: true })
  .filter((one) => one.isDirectory() && !['node_modules', 'dist'].includes(one.name))
  .map(({ name }) => `web/${name}`)
const all = ['src', 'test', ...rooms].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`.replaceAll('\\', '/')),
)
const files = all.filter((file) => file.endsWith('.test.ts')).sort()
const inPath = wanted.filter((arg) => files.some((file) => file.includes(arg)))
const chosen = inPath.length === 0 ? files : files.filter((file) => inPath.some((arg) => file.includes(arg)))
const words = wanted.filter((arg) => !inPath.includes(arg))
const unknown = words.filter((name) => !chosen.some((file) => readFileSync(join(root, file), 'utf8').includes(name)))
if (unknown.length > 0) {
  console.error(
    `NOTHING WAS TESTED: neither the path of a test nor a name in ${inPath.join(', ') || 'any'} has '${unknown.join("' or '")}'.`,
  )
  process.exit(1)
}
const names = words.map((name) => `--test-name-pattern=${name}`)

const homeless = files.filter((file) => enginesOf(file) === undefined)
if (homeless.length > 0) {
  console.error(`NOTHING WAS TESTED: no engine is chosen for the folder of ${homeless.join(', ')}; see test/README.md.`)
  process.exit(1)
}
const stale = [...SLOW, ...ONCE].filter((path) => !files.some((file) => file.startsWith(path)))
if (stale.length > 0) {
  console.error(`NOTHING WAS TESTED: a run would leave out ${stale.join(', ')}, which there is not.`)
  process.exit(1)
}
/** What a run leaves out that names nothing. */
const leftOut = args.includes('--quick') && wanted.length === 0 ? SLOW : []
const leftOutOnPostgres = [...leftOut, ...(args.includes('--all') || wanted.length > 0 ? [] : ONCE)]
const chosenFor = (engine) => {
  const without = engine === 'postgres' ? leftOutOnPostgres : leftOut
  return chosen.filter((file) => enginesOf(file).includes(engine) && !isBelow(file, without))
}

// The settings of a server that this shell may have are none of the tests' business.
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => name !== 'PORT' && (!name.startsWith('KARTOTEKA_') || /^KARTOTEKA_TEST_(POSTGRES|PGBOUNCER)$/.test(name)),
  ),
)
environment.NODE_COMPILE_CACHE ??= join(root, '.cache', 'tests')
if (args.includes('--quick')) environment.KARTOTEKA_TEST_QUICK = '1'
if (args.includes('--long')) environment.KARTOTEKA_TEST_LONG = '1'
const seed = process.env.KARTOTEKA_TEST_SEED || (process.env.CI ? '1' : String(randomInt(2 ** 31)))
if (!/^\d{1,10}$/.test(seed) || Number(seed) >= 2 ** 31) {
  console.error(`NOTHING WAS TESTED: KARTOTEKA_TEST_SEED is a whole number from 0 to 2147483647, not '${seed}'.`)
  process.exit(1)
}
environment.KARTOTEKA_TEST_SEED = seed

const onCitus = process.env.DB === 'citus'
/** What failed on each store, as text, told at the end: of a long output a build server often keeps the end alone. */
const failed = []
/** Tests of the pages that failed once, and passed when they were run again. */
const unsteady = []
const onSqlite = await withBrowser(withClients(args.includes('--postgres') ? [] : chosenFor('sqlite')))
const onPostgres = args.includes('--sqlite') || (args.includes('--quick') && !args.includes('--postgres')) ? [] : chosenFor('postgres')
const toRun = onCitus ? chosenFor('citus') : [...onSqlite, ...onPostgres]
if (toRun.length === 0) {
  console.error(
    `NOTHING WAS TESTED: ${chosen.join(', ')} ${onCitus ? 'is not about' : 'needs another store, such as'} a Citus cluster (DB=citus).`,
  )
  process.exit(1)
}
const notOnPostgres = !onCitus && onPostgres.length > 0 ? leftOutOnPostgres.filter((path) => !leftOut.includes(path)) : []
if (leftOut.length > 0) console.log(`Left out of a quick run: ${leftOut.join(', ')}.\n`)
if (notOnPostgres.length > 0) console.log(`Not run on PostgreSQL, where npm test -- --all runs it: ${notOnPostgres.join(', ')}.\n`)
console.log(`Random tests have the seed ${seed}; KARTOTEKA_TEST_SEED=${seed} repeats them.\n`)
const codes = []
/** Only in a process of its own is it known what a file costs. */
const isEachMeasured = args.includes('--slowest')
const memory = makeMemory()
// Ends by 'exit', which stops what was started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
if (onCitus) codes.push(await runOnCitus())
else if (onSqlite.length > 0) codes.push(await run(onSqlite, environment))
if (!onCitus && onPostgres.length > 0) codes.push(await runOnPostgres())
if (unsteady.length > 0) console.error(`\nFailed, and passed when run again with nothing beside:\n\n${unsteady.join('\n')}`)
if (failed.length > 0) console.error(`\nWhat failed or was not tested, once more:\n\n${failed.join('\n')}`)
process.exit(codes.every((code) => code === 0) ? 0 : 1)

/** Without the tests of ready-made clients where these cannot be fetched. */
function withClients(files) {
  const ofClients = files.filter((file) => file.startsWith('test/clients/'))
  if (ofClients.length === 0) return files
  try {
    ensureClients()
    return files
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    console.error(`\nNO READY-MADE CLIENT WAS TESTED, since they could not be fetched. ${error.message}\n`)
    if (files.length === ofClients.length) process.exit(1)
    return files.filter((file) => !ofClients.includes(file))
  }
}

/** Without the tests of the web pages where their packages cannot be fetched, where they cannot be built, or where there is no browser. */
async function withBrowser(files) {
  const ofPages = files.filter((file) => file.startsWith('web/') || file.startsWith('test/browser/'))
  const ofBrowser = ofPages.filter((file) => file.startsWith('test/browser/'))
  if (ofPages.length === 0 || onCitus) return files
  let left = ofPages
  try {
    ensureWeb({ development: true })
    left = ofBrowser
    if (ofBrowser.length === 0) return files
    environment.KARTOTEKA_TEST_CHROMIUM = ensureChromium({ isLight: true })
    environment.KARTOTEKA_TEST_WHOLE_CHROMIUM = ensureChromium()
    const built = spawnSync(node, ['scripts/build-web.ts'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    if (built.status !== 0) throw new SetupFailure('The web pages could not be built.')
    return files
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    failed.push(`NO WEB PAGE WAS TESTED. ${error.message}`)
    console.error(`\n${failed.at(-1)}\n`)
    if (files.length === left.length) process.exit(1)
    return files.filter((file) => !left.includes(file))
  }
}

async function runOnPostgres() {
  try {
    const postgres = await startPostgres()
    console.log(`\nOn PostgreSQL ${postgres.version}:\n`)
    try {
      const address = postgres.url()
      const template = await templateIn(postgres)
      return await run(onPostgres, { ...environment, KARTOTEKA_TEST_DATABASE_URL: address, ...template })
    } finally {
      await postgres.stop()
    }
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    console.error(`\nNOTHING WAS TESTED ON POSTGRESQL, since there is none here. ${error.message}`)
    return args.includes('--postgres') ? 1 : 0
  }
}

/** A database with all tables, which the installations of tests are copies of. Nobody is connected to it, also by way of a pooler. */
async function templateIn(postgres) {
  const { ask } = await import('./citus-template.mjs')
  const name = 'kartoteka_tables'
  await ask(postgres.direct(), `CREATE DATABASE ${name}`)
  layOut('postgres', postgres.direct(name))
  return { KARTOTEKA_TEST_TEMPLATE_DATABASE: name }
}

/** Lays out an empty database (scripts/store-template.ts). */
function layOut(...place) {
  const done = spawnSync(node, ['scripts/store-template.ts', ...place], { cwd: root, env: environment, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`The template of the tests could not be made:\n${done.stderr}`)
}

async function runOnCitus() {
  const url = process.env.KARTOTEKA_TEST_CITUS_URL
  if (!url) {
    console.error(
      'DB=citus needs the address of a running cluster: KARTOTEKA_TEST_CITUS_URL=postgres://user@coordinator:5432/postgres. docs/citus.md tells how to have one.',
    )
    return 1
  }
  const { makeTemplate, serversOf } = await import('./citus-template.mjs')
  await makeTemplate(url)
  console.log(`\nOn Citus with ${(await serversOf(url)).length - 1} workers:\n`)
  return run(toRun, { ...environment, KARTOTEKA_TEST_DATABASE_URL: url, KARTOTEKA_TEST_DISTRIBUTION: 'citus' })
}

/** Runs files, and those of the pages once more where few of them failed and nothing else did. A fault that is there every time fails again. */
async function run(chosenFiles, env) {
  const { code, told } = await runOnce(chosenFiles, env)
  const again = code !== 0 && wanted.length === 0 ? unsteadyIn(told) : []
  if (again.length > 0) {
    console.error(`\nOnce more, with nothing beside: ${again.join(', ')}\n`)
    const second = await runOnce(again, env, { concurrency: 1 })
    if (second.code === 0) {
      unsteady.push(told)
      return 0
    }
  }
  if (told !== '') failed.push(told)
  return code
}

/** What failed is in `told`: that of scripts/failures-reporter.mjs. */
async function runOnce(chosenFiles, env, { concurrency } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kartoteka-tests-'))
  const failures = join(folder, 'failures')
  const template = join(folder, 'template.sqlite')
  layOut('sqlite', template)
  const reporters = [
    ['--test-reporter=spec', '--test-reporter-destination=stdout'],
    [`--test-reporter=${join(root, 'scripts/failures-reporter.mjs')}`, `--test-reporter-destination=${failures}`],
    args.includes('--slowest')
      ? [`--test-reporter=${join(root, 'scripts/slowest-reporter.mjs')}`, '--test-reporter-destination=stdout']
      : [],
  ].flat()
  const options = [
    ...['processor-time', 'still-open'].map((name) => `--import=${pathToFileURL(join(root, 'scripts', `${name}.mjs`))}`),
    '--test',
    // Over PostgreSQL a test waits for a third of its time.
    `--test-concurrency=${concurrency ?? Math.min(4, availableParallelism() + (env.KARTOTEKA_TEST_DATABASE_URL ? 1 : 0))}`,
    '--test-timeout=300000',
    ...reporters,
  ]
  const tests = spawn(
    node,
    [...options, ...names, ...(isEachMeasured ? chosenFiles : groupsOf(chosenFiles, join(folder, 'groups'), memory))],
    {
      cwd: root,
      env: { ...env, KARTOTEKA_TEST_TEMPLATE_FILE: template, KARTOTEKA_TEST_PROCESSOR_TIME: folder },
      stdio: 'inherit',
    },
  )
  process.once('exit', () => tests.kill())
  const code = await new Promise((resolve) => tests.on('exit', (status) => resolve(status ?? 1)))
  const told = existsSync(failures) ? readFileSync(failures, 'utf8') : ''
  rmSync(folder, { recursive: true })
  return { code, told }
}
