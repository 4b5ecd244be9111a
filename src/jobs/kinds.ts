import { bulkJob } from './bulk-job.ts'
import { convertJob } from './convert-job.ts'
import { exportJob } from './export-job.ts'
import { importJob } from './import-job.ts'
import type { JobKind } from './job-kind.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- each kind has its own input and positions
export type AnyKind = JobKind<any, any>

/** All kinds of jobs. */
export const kinds: ReadonlyMap<string, AnyKind> = new Map(
  [bulkJob, convertJob, exportJob, importJob].map((kind: AnyKind) => [kind.name, kind]),
)
