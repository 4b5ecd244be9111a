import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Job } from '../api/jobs.ts'
import { say } from '../i18n/words.ts'
import { jobTitle } from './job-words.ts'

const job = (more: Partial<Job>): Job => ({
  kind: 'import',
  table_id: 0,
  state: 'done',
  cancel_asked: false,
  done: 70,
  total: null,
  result: null,
  error: null,
  batch_id: null,
  file_name: 'clients.csv',
  is_trial: false,
  user_id: 1,
  add_time: '',
  begin_time: '',
  end_time: '',
  ...more,
})

describe('a job that tried an import', () => {
  it('is told from one that ran, also where each line was refused', () => {
    const refused = { read: 70, imported: 0, bad: 70, table_id: 7 }
    assert.equal(jobTitle(say, job({ is_trial: true, table_id: 7, result: refused }), 'Clients'), 'Trial of an import into Clients')
    assert.equal(jobTitle(say, job({ table_id: 7, result: refused }), 'Clients'), 'Import into Clients')
    assert.equal(jobTitle(say, job({ is_trial: true, result: { read: 70, imported: 0, bad: 70 } }), ''), 'Trial of an import')
  })
})
