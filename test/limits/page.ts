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
  const known = new Map([...before.matchAll(/^\| ([^|]+?) \|(.*)\|$/gm)].map(([, name, rest]) => [name!, rest!.split('|').slice(-4, -1)]))
  /** `first`: what the row begins with. */
  const cells = (name: string, probe: Probe | undefined, first = name): string[] => {
    const figures = now.get(name)
    if (probe && 'unmeasured' in probe) return ['–', '–', probe.unmeasured]
    return figures ? shown(figures) : (known.get(first) ?? ['', '', '']).map((cell) => cell.trim())
  }
  const rows = Object.entries<Limit>(limits).map(([name, limit]) =>
    row([
      `\`${name}\``,
      limit.of,
      limit.most.toLocaleString('en-US') + (limit.unit === 'count' ? '' : ` ${limit.unit}`),
      limit.beyond.replaceAll(/[a-z]+\.[a-z_]+/g, '`$&`'),
      ...cells(name, probes[name as keyof typeof limits], `\`${name}\``),
      `[${heldBy[name as LimitName]}](../${heldBy[name as LimitName]})`,
    ]),
  )
  const others = inputs.map(({ says, most, probe }) => row([says, most, ...cells(says, probe), '']))
  const measured = machine === '' ? (/^Measured on .*$/m.exec(before)?.[0] ?? 'Not measured yet.') : `Measured on ${machine}.`
  return `<!-- Written by npm run docs; the figures by npm run limits. -->

# Limits

Every limit on what a request may send, what a user may store, and what a process may hold at once. The list is generated from
\`src/limits.ts\`. \`npm run limits\` sends the worst request at each limit to a server that it starts, three times, and writes the best result of the
three:

- **worked, ms**: the longest time for which the serving thread worked without a break. In brackets: its longest pause for other requests, waits for the
  disk and the processor included.
- **memory, MiB**: the additional memory of the process while it answered.
- **one more**: the answer to a request that exceeds the limit by one.

The targets are 50 ms (10 ms for requests without a token) and 64 MiB. Figures above the target are bold. An empty cell is not measured yet.

${measured}

| limit | of what | at most | beyond it | worked (pause), ms | memory, MiB | one more | test |
|---|---|--:|---|--:|--:|---|---|
${rows.join('\n')}

## Other inputs

| input | at most | worked (pause), ms | memory, MiB | answer | |
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
