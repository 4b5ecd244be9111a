import type { Counter, Family, Histogram, Labels, Metrics, Sample } from './metrics.ts'

/*
 * The port, without a package: it needs counters, histograms of fixed buckets and one text format. prom-client can take the place of this file.
 */

/** Series of one metric, at most. Further sets of labels are counted together. */
const MOST_SERIES = 5_000
const REST: Labels = { rest: 'true' }

interface Shown {
  readonly name: string
  readonly lines: () => Iterable<string>
}

/** @throws Error for a name that is not valid, or registered already */
export function metricsRegistry(): Metrics {
  const all = new Map<string, Shown>()

  function register(type: string, name: string, help: string, lines: Shown['lines']): void {
    if (!/^[a-z][a-z0-9_]*$/.test(name) || all.has(name)) throw new Error(`Not the name of a new metric: ${name}`)
    const head = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`]
    all.set(name, { name, lines: () => [...head, ...lines()] })
  }

  return {
    counter(name, help) {
      const { of, series } = family(counter)
      register('counter', name, help, () => series().map(([labels, one]) => line(name, labels, one.value)))
      return { of }
    },
    histogram(name, help, bounds) {
      const { of, series } = family(() => histogram(bounds))
      register('histogram', name, help, () => series().flatMap(([labels, one]) => histogramLines(name, labels, one)))
      return { of }
    },
    observed(type, name, help, read) {
      register(type, name, help, () => Array.from(read(), ({ labels = {}, value }: Sample) => line(name, labels, value)))
    },
    text: () => Array.from(all.values(), ({ lines }) => [...lines()].join('\n') + '\n').join(''),
  }
}

function family<Series>(make: () => Series): Family<Series> & { series(): [Labels, Series][] } {
  const known = new Map<string, [Labels, Series]>()
  const find = (labels: Labels) => known.get(shown(labels))
  const add = (labels: Labels) => {
    const made: [Labels, Series] = [labels, make()]
    known.set(shown(labels), made)
    return made
  }
  return {
    of: (labels) => (find(labels) ?? (known.size < MOST_SERIES - 1 ? add(labels) : (find(REST) ?? add(REST))))[1],
    series: () => [...known.values()],
  }
}

function counter(): Counter & { readonly value: number } {
  let value = 0
  return {
    get value() {
      return value
    },
    add(more = 1) {
      value += more
    },
  }
}

interface Buckets extends Histogram {
  readonly bounds: readonly number[]
  /** Of each bucket alone; the last is above all bounds. */
  readonly counts: Float64Array
  readonly sum: number
}

function histogram(bounds: readonly number[]): Buckets {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    bounds,
    counts,
    get sum() {
      return sum
    },
    observe(value) {
      let i = 0
      while (i < bounds.length && value > bounds[i]!) i++
      counts[i]!++
      sum += value
    },
  }
}

function histogramLines(name: string, labels: Labels, { bounds, counts, sum }: Buckets): string[] {
  const lines: string[] = []
  let below = 0
  for (const [i, count] of counts.entries()) {
    below += count
    lines.push(line(`${name}_bucket`, { ...labels, le: i < bounds.length ? number(bounds[i]!) : '+Inf' }, below))
  }
  return [...lines, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, below)]
}

const line = (name: string, labels: Labels, value: number): string => `${name}${shown(labels)} ${number(value)}`

function shown(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const number = (value: number): string => (value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value))
