import type { Page } from '../play.ts'

export const jobs: Page = {
  file: 'jobs',
  title: 'Jobs',
  says: `Work that takes longer than a request. A change or deletion by a filter of more than 10,000 records becomes a job by itself; others are asked for here.
[Jobs](../jobs.md) explains what is the same for all kinds. They are kept for \`KARTOTEKA_JOB_DAYS\` (30) after their end.`,
  attributesOf: 'job',
  endpoints: [
    {
      route: 'POST /api/dev/job',
      title: 'Begin a job',
      who: 'everybody with the rights that the direct request needs. They are looked at again before each step.',
      notes:
        '`input` of the kind `bulk`: `action` (`update` or `delete`), `filter`, and the `attributes` of an update. Of `export`, all of it optional: `file_format` (`csv`, `jsonl`, `xlsx`), `filter`, `sort`, `fields` (an array of names) and `for_spreadsheet` (`false`: as they are). A user has at most 50 jobs that wait.',
      shows: [
        {
          path: 'job',
          body: { data: { type: 'job', attributes: { kind: 'bulk', table_id: 2, input: { action: 'delete', filter: 'eq(f4,0)' } } } },
        },
      ],
      refuses: [
        [
          'there is no such kind',
          { path: 'job', body: { data: { type: 'job', attributes: { kind: 'dance' } } }, code: 'job.unknown_kind' },
        ],
        [
          'the input does not fit',
          {
            path: 'job',
            body: { data: { type: 'job', attributes: { kind: 'bulk', table_id: 2, input: {} } } },
            code: 'field.invalid_value',
          },
        ],
      ],
    },
    {
      route: 'GET /api/dev/job',
      title: 'List jobs',
      who: 'everybody: their own, with a token of some tables those of these tables; administrators: all.',
      shows: [{ path: "job?filter=eq(state,'queued')" }],
    },
    {
      route: 'GET /api/dev/job/{id}',
      title: 'Read a job',
      who: 'its user, and administrators.',
      shows: [{ path: 'job/1' }],
      refuses: [['it does not exist, or is of somebody else', { path: 'job/99', code: 'resource.not_found' }]],
    },
    {
      route: 'GET /api/dev/job/{id}/result',
      title: 'Read the file of a job',
      who: 'its user, and administrators, who still see what is in it.',
      notes: 'Of an `export` that is done. Ranges and `ETag` are those of [files](files.md).',
      shows: [],
      refuses: [['the job makes no file, or is not done', { path: 'job/1/result', code: 'job.no_file' }]],
    },
    {
      route: 'DELETE /api/dev/job/{id}',
      title: 'Cancel or remove a job',
      who: 'its user, and administrators.',
      notes: 'A job that runs ends after its present step; what it has done stays. 200: the job had ended, and is removed from the list.',
      shows: [{ path: 'job/1' }],
    },
  ],
}
