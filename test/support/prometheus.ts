/*
 * A strict reader of the text format of Prometheus, version 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/). It throws for
 * what the server of Prometheus, or its promtool, would refuse.
 */

export interface Sample {
  /** With `_bucket`, `_sum` or `_count`, where it is part of a histogram. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface MetricFamily {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly Sample[]
}

type Reading = { type: string; help: string; samples: Sample[] }

/** By name. @throws Error that names the first line that is wrong */
export function parseMetrics(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const families = new Map<string, Reading>()
  const seen = new Set<string>()
  let current: Reading | undefined
  let currentName = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      if (families.has(name)) throw new Error(`Twice: ${line}`)
      if (!/^(?:[^\\]|\\[\\n])+$/.test(rest)) throw new Error(`Not an escaped text: ${line}`)
      current = { type: '', help: rest, samples: [] }
      families.set((currentName = name), current)
    } else if (keyword === 'TYPE') {
      if (name !== currentName || current!.type !== '') throw new Error(`Not after its HELP: ${line}`)
      if (!['counter', 'gauge', 'histogram'].includes(rest)) throw new Error(`No known type: ${line}`)
      current!.type = rest
    } else {
      const sample = parseSample(line)
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (seen.has(key)) throw new Error(`Twice: ${line}`)
      seen.add(key)
      const base = current?.type === 'histogram' ? sample.name.replace(/_(bucket|sum|count)$/, '') : sample.name
      if (!current?.type || base !== currentName) throw new Error(`Not under its TYPE: ${line}`)
      if (current.type !== 'gauge' && !(sample.value >= 0)) throw new Error(`Below zero: ${line}`)
      current.samples.push(sample)
    }
  }
  for (const [name, { type, samples }] of families) {
    if (type === '') throw new Error(`No TYPE: ${name}`)
    if (type === 'counter' && !name.endsWith('_total')) throw new Error(`A counter without _total: ${name}`)
    if (type === 'histogram') mustBeHistogram(name, samples)
  }
  return families as Map<string, MetricFamily>
}

const NUMBER = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]Inf|NaN)$/

function parseSample(line: string): Sample {
  const [, name, inner, number = ''] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)$/.exec(line) ?? []
  if (name === undefined || !NUMBER.test(number)) throw new Error(`Not a sample: ${line}`)
  const labels: Record<string, string> = {}
  let rest = inner ?? ''
  while (rest !== '') {
    const [whole, label = '', value = ''] = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/.exec(rest) ?? []
    if (whole === undefined || label in labels || label.startsWith('__')) throw new Error(`Not labels: ${line}`)
    labels[label] = value.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one))
    rest = rest.slice(whole.length)
  }
  return { name, labels, value: number.endsWith('Inf') ? (number.startsWith('-') ? -Infinity : Infinity) : Number(number) }
}

/** Each set of labels has a sum, a count, and buckets that are cumulative and end with the count at +Inf. */
function mustBeHistogram(name: string, samples: readonly Sample[]): void {
  const keyOf = ({ labels: { le: _, ...others } }: Sample) => JSON.stringify(Object.entries(others).sort())
  for (const key of new Set(samples.map(keyOf))) {
    const own = samples.filter((sample) => keyOf(sample) === key)
    const of = (suffix: string) => own.filter((sample) => sample.name === name + suffix)
    const [buckets, [sum], [count]] = [of('_bucket'), of('_sum'), of('_count')]
    if (!sum || !count || own.length !== buckets.length + 2) throw new Error(`Not a histogram: ${name} ${key}`)
    const bounds = buckets.map(({ labels: { le = '' } }) => (le === '+Inf' ? Infinity : Number(le)))
    const isOrdered = bounds.every((bound, i) => i === 0 || bound > bounds[i - 1]!)
    const isCumulative = buckets.every(({ value }, i) => i === 0 || value >= buckets[i - 1]!.value)
    if (!isOrdered || !isCumulative || bounds.at(-1) !== Infinity || buckets.at(-1)!.value !== count.value)
      throw new Error(`Buckets are wrong: ${name} ${key}`)
  }
}

/** The value of the only sample with at least these labels. */
export function valueOf(families: ReadonlyMap<string, MetricFamily>, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const base = families.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
  const found = (families.get(base)?.samples ?? []).filter(
    (sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  if (found.length !== 1) throw new Error(`${found.length} samples of ${name} ${JSON.stringify(labels)}`)
  return found[0]!.value
}
