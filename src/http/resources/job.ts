import { jobs, type Job } from '../../store/jobs/jobs.ts'
import { asIs, boolean, integer, optionalInteger, string } from './forms.ts'
import { defineResource } from './resource.ts'

/** Only the service sets what it shows; create-job.ts reads what asks for one. */
export const job = defineResource<Job>({
  type: 'job',
  token: 'tables',
  plural: 'the jobs',
  relation: jobs,
  members: {
    kind: { of: 'kind', form: string, set: 'never', says: 'What it does: `bulk`, `export`, `import`.' },
    table_id: { of: 'tableId', form: integer, set: 'never', says: 'The table that it is about; 0: none.' },
    state: {
      of: 'state',
      form: string,
      set: 'never',
      says: '`draft`: it needs more before it begins; `queued`; `running`; `done`; `failed`, for the reason in `error`; `cancelled`; `interrupted`: its process ended, and it cannot go on.',
    },
    cancel_asked: { of: 'cancelAsked', form: boolean, set: 'never', says: 'Whether somebody has cancelled it.' },
    done: {
      of: 'done',
      form: integer,
      set: 'never',
      says: 'How far it is: of `bulk` and `export`, in records; of `import`, in bytes of a CSV file, or lines of a workbook.',
    },
    total: { of: 'total', form: optionalInteger, set: 'never', says: 'Of how many; null: not known.' },
    result: {
      of: 'result',
      form: asIs,
      set: 'never',
      says: 'What it did; null: it has not ended. Of `export`: `records` and `file`. Of `bulk`: `batch_id`, `records`, `refused` and `listed`, as a direct request tells them. Of `import`: [imports](imports.md#try-and-run-it).',
    },
    error: { of: 'error', form: asIs, set: 'never', says: '`code` and `detail` of the error that ended it; null: none.' },
    batch_id: {
      of: 'batchId',
      form: optionalInteger,
      set: 'never',
      says: 'The [batch](batches.md) of its changes, which can be undone; null: it changed nothing.',
    },
    file_name: {
      of: 'fileName',
      form: string,
      set: 'never',
      says: 'The name of the file that it reads (`import`, as the client has told it) or has made (`export`); empty: none.',
    },
    is_trial: { of: 'isTrial', form: boolean, set: 'never', says: 'Whether it only tries an import, and changes nothing.' },
    user_id: { of: 'userId', form: integer, set: 'never', says: 'Whose job it is.' },
    add_time: { of: 'addTime', form: string, set: 'never', says: 'When it was asked for.' },
    begin_time: { of: 'beginTime', form: string, set: 'never', says: 'When it began.' },
    end_time: { of: 'endTime', form: string, set: 'never', says: 'When it ended.' },
  },
})
