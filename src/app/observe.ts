import type { Deliverer } from '../deliveries/deliver.ts'
import { loadOfStreams } from '../http/handlers/follow-events.ts'
import type { JobRunner } from '../jobs/run-jobs.ts'
import type { Metrics, Sample } from '../metrics/metrics.ts'
import type { ListFigures } from '../store/ground/pages.ts'
import type { Store } from '../store/ground/store.ts'
import type { HouseKeeping } from './keep-house.ts'

/* What is counted beside requests, and what the process holds at this moment: read from memory when metrics are asked for. */

/** `began`: when the process began, in Unix seconds. */
export function observeProcess(metrics: Metrics, began: number): void {
  const one = (read: () => number) => () => [{ value: read() }]
  metrics.observed(
    'gauge',
    'process_start_time_seconds',
    'When the process began, in Unix time.',
    one(() => began),
  )
  metrics.observed(
    'gauge',
    'process_resident_memory_bytes',
    'Memory of the process.',
    one(() => process.memoryUsage.rss()),
  )
  metrics.observed(
    'counter',
    'process_cpu_seconds_total',
    'Time that processor cores have worked for the process, with all its threads.',
    one(() => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    }),
  )
  metrics.observed(
    'counter',
    'kartoteka_event_loop_busy_seconds_total',
    'Time for which the thread that serves has worked: near 1 in each second, it is the limit.',
    one(() => performance.eventLoopUtilization().active / 1000),
  )
}

export function observeStore(metrics: Metrics, store: Store): void {
  const { load, indexes, files } = store
  observeLists(metrics, store)
  metrics.observed('counter', 'kartoteka_database_statements_total', 'Statements that were sent to the database.', () =>
    labelled('kind', load().statements),
  )
  const ofQueues = (of: 'waiting' | 'running') => () =>
    Object.entries(load().queues).map(([queue, busy]) => ({ labels: { queue }, value: busy[of] }))
  metrics.observed(
    'gauge',
    'kartoteka_queue_waiting',
    'Work that waits: quick: lists before their first, short attempt; slow: lists that take longer; write: writes.',
    ofQueues('waiting'),
  )
  metrics.observed(
    'gauge',
    'kartoteka_queue_running',
    'Work that runs: lists by their queue; write: transactions that run writes.',
    ofQueues('running'),
  )
  metrics.observed('gauge', 'kartoteka_indexes', 'Indexes by state: waiting to be made, ready, failed, none (forbidden).', () =>
    labelled('state', indexes.counts()),
  )
  metrics.observed(
    'counter',
    'kartoteka_s3_requests_total',
    'Attempts of requests to the bucket of files, by method and result: the status of an answer that was expected, or failed.',
    () => files.requests(),
  )
  metrics.observed('gauge', 'kartoteka_event_streams', 'Streams of events at this moment.', () => [{ value: loadOfStreams(store).streams }])
  metrics.observed('gauge', 'kartoteka_event_stream_unread_bytes', 'Events that wait for the clients of all streams to read.', () => [
    { value: loadOfStreams(store).unread },
  ])
}

/** What lists keep in memory. */
function observeLists(metrics: Metrics, store: Store): void {
  const lists = (read: (figures: ListFigures) => Sample[]) => () => {
    const figures = store.pages.figures()
    return figures ? read(figures) : []
  }
  metrics.observed(
    'gauge',
    'kartoteka_list_memory_bytes',
    'Memory of sets and orders of lists.',
    lists(({ bytes }) => [{ value: bytes }]),
  )
  metrics.observed(
    'gauge',
    'kartoteka_list_memory_limit_bytes',
    'The most that they may take (KARTOTEKA_LIST_MEMORY).',
    lists(({ most }) => [{ value: most }]),
  )
  metrics.observed(
    'gauge',
    'kartoteka_list_sets',
    'What is kept for lists: term: sets of records; filter: those of whole filters; order: orders; counts: where a set is in an order; column: what all records have in a field; rows: those that were shown lately, of each table and choice of fields; changed: what changed records of a table hold.',
    lists(({ kept }) => labelled('kind', kept)),
  )
  metrics.observed(
    'counter',
    'kartoteka_list_sets_read_total',
    'Sets and orders that were read from the database.',
    lists(({ read }) => labelled('kind', read)),
  )
  metrics.observed(
    'counter',
    'kartoteka_lists_answered_total',
    'Lists, cursors and aggregates of records that were answered from sets (sets), and by statements alone (sql).',
    lists(({ answered }) => labelled('by', answered)),
  )
  metrics.observed(
    'counter',
    'kartoteka_list_sets_dropped_total',
    'What had to go for want of room.',
    lists(({ dropped }) => [{ value: dropped }]),
  )
  metrics.observed(
    'counter',
    'kartoteka_list_sets_wrong_total',
    'Tables whose sets or orders were not what the database had, and were made anew: a fault of this program, to be reported.',
    lists(({ wrong }) => [{ value: wrong }]),
  )
}

export function observeWebhooks(metrics: Metrics, { load }: Pick<Deliverer, 'load'>): void {
  metrics.observed('gauge', 'kartoteka_webhooks', 'Active webhooks that this process delivers; 0 where another process does.', () => [
    { value: load().webhooks },
  ])
  metrics.observed('gauge', 'kartoteka_webhook_deliveries_waiting', 'Deliveries that wait for an attempt, of those webhooks.', () => [
    { value: load().waiting },
  ])
  metrics.observed('gauge', 'kartoteka_webhook_attempts_running', 'Attempts to deliver that run.', () => [{ value: load().running }])
  metrics.observed(
    'counter',
    'kartoteka_webhook_attempts_total',
    'Attempts to deliver, by what came of them: delivered, waiting (failed, another one follows), parked (failed, and given up).',
    () => labelled('result', load().made),
  )
}

export function observeJobs(metrics: Metrics, { load }: Pick<JobRunner, 'load'>): void {
  metrics.observed('gauge', 'kartoteka_jobs_running', 'Jobs that this process runs, by kind.', () =>
    Array.from(load().runningOf, ([kind, value]) => ({ labels: { kind }, value })),
  )
  metrics.observed('counter', 'kartoteka_jobs_ended_total', 'Jobs that have ended in this process, by kind and state.', () =>
    load().ended.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
  )
}

export function observeHouse(metrics: Metrics, house: Pick<HouseKeeping, 'swept' | 'failed'>): void {
  metrics.observed(
    'gauge',
    'kartoteka_retention_last_success_timestamp_seconds',
    'When what is kept no longer was last erased without a fault, by kind; none until the first round, an hour after the start.',
    () => Array.from(house.swept, ([kind, value]) => ({ labels: { kind }, value })),
  )
  metrics.observed('counter', 'kartoteka_housekeeping_failures_total', 'Rounds of erasing and of tending indexes that failed.', () => [
    { value: house.failed },
  ])
}

const labelled = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
