/*
 * npm run bench [-- name …] [--rows N] [--seconds N] [--rounds N] [--keep folder] [--peers folder] [--other folder] [--store postgres]
 * [--only list] [--write]: answers questions of speed (questions.ts) with tables, which --write puts into docs/performance.md; without a name it lists them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { withBench, type Store } from './bench.ts'
import { machine } from './machine.ts'
import { placed } from './markdown.ts'
import type { Question } from './question.ts'
import { questions } from './questions.ts'

const page = new URL('../docs/performance.md', import.meta.url)

/** What needs programs that npm does not bring. */
const apart = ['postgres', 'citus', 'pages', 'tab', 'peers', 'versions', 'lists-before']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'string' },
    peers: { type: 'string' },
    against: { type: 'string', default: '' },
    other: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
})
const chosen = positionals[0] === 'all' ? questions.filter(({ name }) => !apart.includes(name)) : positionals.map(named)
if (chosen.length === 0) list()
else
  for (const question of chosen)
    await answer(question).catch((error: unknown) => {
      console.error(`${question.name}:`, error)
      process.exitCode = 1
    })

async function answer(question: Question): Promise<void> {
  const rows = Number(values.rows)
  const namesOf = (list: string) => list.split(',').filter((name) => name !== '')
  if (values.store !== 'sqlite' && values.store !== 'postgres') throw new Error(`There is no store '${values.store}'.`)
  const options = {
    rows,
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    keep: values.keep,
    peers: values.peers,
    against: namesOf(values.against),
    other: values.other,
    store: values.store as Store,
    only: namesOf(values.only),
  }
  const result = await withBench(options, async (bench) => {
    const tables = await question.measure(bench)
    const others = bench.neighbours.most()
    const disturbed = others === undefined ? '' : `; other processes used up to ${others.toFixed(1)} cores meanwhile`
    const note = `${rows.toLocaleString('en-US')} records, ${machine()}, ${new Date().toISOString().slice(0, 10)}${disturbed}.`
    return `${tables}\n\n${note}`
  })
  console.log(`## ${question.says}\n\n${result}\n`)
  const place = options.store === 'sqlite' ? question.name : `${question.name}-${options.store}`
  if (values.write) writeFileSync(page, placed(readFileSync(page, 'utf8'), place, rows, result))
}

function named(name: string): Question {
  const found = questions.find((question) => question.name === name)
  if (found) return found
  console.error(`There is no question '${name}'.`)
  list()
  process.exit(2)
}

function list(): void {
  console.log(
    'npm run bench -- <name> … [--rows 100000] [--seconds 3] [--rounds 3] [--keep folder] [--peers folder] [--store postgres] [--only list] [--write]\n',
  )
  for (const { name, says } of questions) console.log(`  ${name.padEnd(12)} ${says}`)
  console.log(`  all          every one of them but those that need what npm does not bring: ${apart.join(', ')}`)
}
