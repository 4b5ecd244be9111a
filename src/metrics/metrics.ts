/*
 * What a process counts, as Prometheus reads it: the port. Values of labels come from tables of the source (routes, statuses, queues), never
 * from a client: each is kept for the life of the process.
 */

export type Labels = Readonly<Record<string, string>>

export interface Counter {
  add(more?: number): void
}

export interface Histogram {
  observe(value: number): void
}

/** One metric, with a series for each set of labels. Callers keep the series: looking for it costs more than counting. */
export interface Family<Series> {
  of(labels: Labels): Series
}

/** A value that is read when the metrics are shown. */
export interface Sample {
  readonly labels?: Labels
  readonly value: number
}

export interface Metrics {
  counter(name: string, help: string): Family<Counter>
  /** `bounds`: upper bounds of the buckets, ascending, without infinity. */
  histogram(name: string, help: string, bounds: readonly number[]): Family<Histogram>
  /** What is counted elsewhere. A counter only grows as long as the process lives. */
  observed(type: 'counter' | 'gauge', name: string, help: string, read: () => Iterable<Sample>): void
  /** All metrics in the text format of Prometheus, version 0.0.4. */
  text(): string
}

export const MEDIA_TYPE_OF_METRICS = 'text/plain; version=0.0.4; charset=utf-8'
