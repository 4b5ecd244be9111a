import { limits, type Limit, type LimitName } from '../../src/limits.ts'
import { heldBy } from './held-by.ts'
import { inputs, probes, type Probe } from './probes.ts'

/* docs/limits.md: what the table of limits says, and beside it what was measured, which only npm run limits writes. */

export interface Figures {
  /** Milliseconds the serving thread worked at a stretch. */
  readonly worked: number
  readonly stood: number
  /** MiB. */
  readonly memory: number
  readonly beyond: string
  readonly bar: number
}

/** The page; `now`: figures that were measured just now, others stay. */
export function limitsPage(before: string, now: ReadonlyMap<string, Figures> = new Map(), machine = ''): string {
  const known = new Map(
    [...before.matchAll(/^\| `?([^|]+?)`? \|(.*)\|$/gm)].map(([, name, rest]) => [name!, rest!.split('|').slice(-4, -1)]),
  )
  const cells = (name: string, probe: Probe | undefined): string[] => {
    const figures = now.get(name)
    if (probe && 'unmeasured' in probe) return ['–', '–', probe.unmeasured]
    return figures ? shown(figures) : (known.get(name) ?? ['', '', '']).map((cell) => cell.trim())
  }
  const rows = Object.entries<Limit>(limits).map(([name, limit]) =>
    row([
      `\`${name}\``,
      limit.of,
      `${limit.most.toLocaleString('en-US')} ${limit.unit}`,
      `\`${limit.beyond}\``,
      ...cells(name, probes[name as keyof typeof limits]),
      `[${heldBy[name as LimitName]}](../${heldBy[name as LimitName]})`,
    ]),
  )
  const others = inputs.map(({ says, most, probe }) => row([says, most, ...cells(says, probe), '']))
  const measured = machine === '' ? (/^Measured on .*$/m.exec(before)?.[0] ?? 'Not measured yet.') : `Measured on ${machine}.`
  return `<!-- Written by npm run docs; the figures by npm run limits. -->

# Limits

Every bound on what a request may bring, a user may keep and a process may hold at once, read off \`src/limits.ts\`. Beside each stands
what the worst request at the limit costs: the longest time in which the serving thread **worked** at a stretch (in brackets: in which it
stood still, for the disk or for its turn on the machine), the memory that the process held more while it was answered, and what
came of one more. \`npm run limits\` sends them to a server of its own, each three times, of which the best counts, and writes them
here. The bars: 50 ms, before a token 10 ms, and 64 MiB.

${measured}

| limit | what is bounded | at most | beyond it | worked (stood still), ms | memory, MiB | one more | test |
|---|---|--:|---|--:|--:|---|---|
${rows.join('\n')}

## Other inputs

| input | at most | worked (stood still), ms | memory, MiB | answer | |
|---|--:|--:|--:|---|---|
${others.join('\n')}
`
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`

const shown = ({ worked, stood, memory, beyond, bar }: Figures): string[] => [
  `${over(worked, bar)} (${stood.toFixed(0)})`,
  over(memory, 64),
  beyond,
]

const over = (value: number, bar: number): string => (value > bar ? `**${value.toFixed(0)}**` : value.toFixed(0))
