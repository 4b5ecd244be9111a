import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Job } from '../api/jobs.ts'
import { say } from '../i18n/words.ts'
import { howItIs, jobTitle } from './job-words.ts'

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

describe('a job that has ended with all refused', () => {
  const how = (more: Partial<Job>) => {
    const { word, look } = howItIs(job(more))
    return [say(word), look]
  }
  it('has done nothing, and looks like a problem', () => {
    assert.deepEqual(how({ result: { imported: 0, bad: 70 } }), ['nothing imported', 'bad'])
    assert.deepEqual(how({ is_trial: true, result: { imported: 0, bad: 70 } }), ['all lines refused', 'bad'])
    assert.deepEqual(how({ kind: 'bulk', result: { records: 0, refused: 3 } }), ['nothing changed', 'bad'])
  })
  it('is told from one with some refused, an empty file, and one that goes on', () => {
    for (const result of [{ imported: 1, bad: 69 }, { imported: 0, bad: 0 }, null]) assert.deepEqual(how({ result }), ['done', 'good'])
    assert.deepEqual(how({ kind: 'export', result: { records: 0 } }), ['done', 'good'])
    assert.deepEqual(how({ state: 'running', result: { imported: 0, bad: 70 } }), ['running', ''])
    assert.deepEqual(how({ state: 'failed', result: { imported: 0, bad: 70 } }), ['failed', 'bad'])
  })
})
