import type { Page } from '../play.ts'

export const batches: Page = {
  file: 'batches',
  title: 'Batches',
  says: `All changes of one request, import or command are a batch; each change has its id as \`batch_id\`, which is the id of the first of them. A batch can be
taken back as a whole.`,
  attributesOf: 'batch',
  endpoints: [
    {
      route: 'GET /api/dev/batch',
      title: 'List batches',
      who: 'everybody: their own. Administrators see all.',
      notes:
        'Those of more than one change, and undos with what they took back. Any other single change is no row of this list, but can be read and undone by its id all the same.',
      shows: [{ path: 'batch?sort=-id&page[limit]=1' }],
    },
    {
      route: 'GET /api/dev/batch/{id}',
      title: 'Read a batch',
      who: 'whoever made it, and administrators.',
      shows: [{ path: 'batch/31' }],
      refuses: [['there is none, or none for the caller', { path: 'batch/99999', code: 'resource.not_found' }]],
    },
    {
      route: 'POST /api/dev/batch/{id}/undo',
      title: 'Undo a batch',
      who: 'whoever made it, and administrators, with the rights on each record that the writes need.',
      notes: `Each attribute that the batch changed gets the value that it had before, unless somebody has changed it since. Records that the batch created go
to the trash, and records that it deleted come back, unless they were changed since. What stays is a conflict: \`meta.conflicts\` counts them, and
\`meta.listed\` has up to 100 that this request found, with the code and the sentence of the refusal. The undo is a batch itself (\`meta.batch_id\`, null if nothing was
changed), which can be undone. One request works for up to 5 s: where \`meta.done\` is false, send it again; it goes on where it was. \`meta.records\` and
\`meta.conflicts\` count all requests. With \`dryRun=true\` nothing is changed; if \`meta.done\` is false, send \`meta.next\` as \`page[before]\` to go on.
An undo that left something for want of rights, or that was refused for another reason than a change since, can be sent again, by whoever has the rights:
it goes on as the same batch.`,
      before: [{ method: 'POST', path: 'data1', body: { data: { type: 'data1', attributes: { f1: 'Made by mistake' } } } }],
      shows: [
        { method: 'POST', path: 'batch/71/undo?dryRun=true' },
        { method: 'POST', path: 'batch/71/undo' },
      ],
      refuses: [
        ['it is undone already', { method: 'POST', path: 'batch/71/undo', code: 'batch.undone' }],
        ['there is none, or none for the caller', { method: 'POST', path: 'batch/99999/undo', code: 'resource.not_found' }],
      ],
    },
  ],
}
