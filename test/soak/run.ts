import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomOf } from '../support/random.ts'
import { scratchProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'
import { watch, watchable } from '../support/watched/watched.ts'
import { startChores } from './chores.ts'
import { judge, percentile, type Minute } from './judge.ts'
import { startLoad, type Load, type Slow } from './load.ts'
import type { Target } from './mixture.ts'

/*
 * npm run soak -- [--minutes 60] [--seed 1]: a mixed load at 70 % of what the server can do here, with imports, restores, index builds,
 * changes of structure, sign-ins and abandoned requests. Prints a Markdown table and what it comes to; the exit code tells whether
 * anything is wrong (judge.ts).
 */

const RECORDS = 20_000
const SHARE = 0.7
const PASSWORD = 'a password for the soak'
/** Milliseconds until all is warm, and in which it is tried how many requests a second the server can do: every chore is done in them. */
const WARMING = 20_000
const TRYING = 35_000
/** Each try asks for this share of the one before, until so large a share is answered and the median takes so many milliseconds at most. */
const LESS = 0.85
const KEPT_UP = 0.98
const MEDIAN = 50
const MIB = 2 ** 20

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } } })
const minutes = Number(values.minutes)
const seed = Number(values.seed)
if (!(Number.isSafeInteger(minutes) && minutes > 1 && Number.isSafeInteger(seed))) {
  console.error('--minutes takes a whole number from 2, --seed a whole number.')
  process.exit(2)
}

const program = scratchProgram()
try {
  const token = await program.token()
  const server = await program.serve({ env: watchable(program.at('watch')) })
  const seen = await watch(program.at('watch'))
  const target = await makeTarget(program, server, token)
  const load = startLoad(Number(new URL(server.url).port), target, seed)
  const chores = startChores(program, server, target, randomOf(seed), PASSWORD)
  const capacity = await capacityOf(load)
  load.pace(capacity * SHARE)
  console.log(
    `seed ${seed}; ${capacity.toFixed(0)} requests a second at most without falling behind, ${(capacity * SHARE).toFixed(0)} from here on; ${RECORDS} records; ${sizeOf(program.data)} MiB on disk\n`,
  )
  console.log(
    '| minute | requests | p50, ms | p99, ms | 503 | other faults | RSS, MiB | heap, MiB | handles | threads | longest work, ms | longest standstill, ms |',
  )
  console.log('|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|')
  await seen.look(true)
  const all: Minute[] = []
  const answers = new Map<string, number>()
  const slow: (Slow & { readonly minute: number })[] = []
  for (let n = 1; n <= minutes; n++) {
    await sleep(60_000)
    const stretch = load.take()
    const { times, due, refused, faults } = stretch
    for (const [name, count] of stretch.answers) answers.set(name, (answers.get(name) ?? 0) + count)
    const { rss, heap, handles, threads, worked, wall } = await seen.look(true)
    all.push({ times, due, refused, faults, rss: rss / MIB, handles })
    const cells = [
      n,
      times.length,
      percentile(times, 0.5).toFixed(1),
      percentile(times, 0.99).toFixed(1),
      refused,
      faults,
      (rss / MIB).toFixed(0),
      (heap / MIB).toFixed(0),
      handles,
      threads,
      worked.toFixed(0),
      wall.toFixed(0),
    ]
    console.log(`| ${cells.join(' | ')} |`)
    if (stretch.slowest) slow.push({ ...stretch.slowest, minute: n })
  }
  const undone = await chores.stop()
  await load.stop()
  seen.close()
  await server.stop()
  const counts = (of: ReadonlyMap<string, number>) => [...of].map(([what, times]) => `${what}: ${times}`).join('; ')
  console.log(`\nChores: ${counts(chores.done)}.\nAnswers: ${counts(answers)}.\n${sizeOf(program.data)} MiB on disk at the end.`)
  for (const { kind, sent, took, minute } of slow)
    console.log(
      `The slowest answer of minute ${minute}, to "${kind}", took ${took.toFixed(0)} ms; sent ${(sent / 1_000).toFixed(1)} s after the load began.`,
    )
  const verdict = judge(all)
  for (const one of verdict.told) console.log(`- ${one}`)
  const { out } = await program.run('check')
  const wrong = [...verdict.wrong, ...undone.slice(0, 10), ...(out === 'Everything is in order.\n' ? [] : [out])]
  for (const one of wrong) console.log(`WRONG: ${one}`)
  if (wrong.length === 0) console.log('Nothing is wrong.')
  process.exitCode = wrong.length > 0 ? 1 : 0
} finally {
  await program.remove()
}

/**
 * The most requests a second by a timetable with which the server does not fall behind. It is less than 16 clients get answered who
 * wait for each answer: where many wait, many writes share a commit.
 */
async function capacityOf(load: Load): Promise<number> {
  await sleep(WARMING)
  load.take()
  await sleep(TRYING)
  for (let perSecond = load.take().times.length / (TRYING / 1_000); ; perSecond *= LESS) {
    load.pace(perSecond)
    await sleep(TRYING)
    const { times, due } = load.take()
    if (times.length >= KEPT_UP * due && percentile(times, 0.5) <= MEDIAN) return perSecond
  }
}

async function makeTarget(made: ScratchProgram, server: Server, token: string): Promise<Target> {
  const lines = Array.from({ length: RECORDS }, (_, n) => `title ${n},${n % 10_000},2024-01-01 10:00:00,${'words '.repeat(n % 40)}`)
  await made.ok(
    'import',
    'Soak',
    made.file('soak.csv', `Title,Amount,Since,Notes\n${lines.join('\n')}\n`),
    '--create',
    '--type',
    'Amount=integer',
    '--type',
    'Notes=longtext',
  )
  const { body: tables } = await server.call(token, 'GET', `table?filter=${encodeURIComponent("eq(table_name,'Soak')")}`)
  const table = Number(tables.data[0].id)
  const { body: fields } = await server.call(token, 'GET', `field?filter=eq(table_id,${table})`)
  const named = Object.fromEntries(
    fields.data.map(({ id, attributes }: { id: string; attributes: { field_name: string } }) => [
      attributes.field_name.toLowerCase(),
      `f${id}`,
    ]),
  )
  const create = async (type: string, attributes: object) =>
    (await server.call(token, 'POST', type, { data: { type, attributes } })).body.data.id as string
  const paper = `f${await create('field', { table_id: table, field_name: 'Paper', field_type: 'file' })}`
  await create('user', { login: 'soaker', password: PASSWORD, group_id: 1 })
  return { token, table, type: `data${table}`, field: { ...named, paper } as Target['field'], records: RECORDS, made: [], withFile: [] }
}

/** MiB of all files below a directory. */
function sizeOf(directory: string): string {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return (
    files.reduce((sum, one) => sum + (statSync(join(one.parentPath, one.name), { throwIfNoEntry: false })?.size ?? 0), 0) / MIB
  ).toFixed(1)
}
