import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Job } from '../api/jobs.ts'
import { isTrial } from './job-words.ts'

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
  user_id: 1,
  add_time: '',
  begin_time: '',
  end_time: '',
  ...more,
})

describe('a job that tried an import', () => {
  it('is told from one that ran, also where each line was refused', () => {
    assert.equal(isTrial(job({ result: { read: 70, imported: 69, bad: 1 } })), true)
    assert.equal(isTrial(job({ result: { read: 70, imported: 0, bad: 70 } })), true)
    // A run that was to make a table has made it.
    assert.equal(isTrial(job({ result: { read: 70, imported: 0, bad: 70, table_id: 7 } })), false)
    assert.equal(isTrial(job({ batch_id: 4, result: { read: 70, imported: 69, bad: 1, table_id: 7 } })), false)
  })
})
