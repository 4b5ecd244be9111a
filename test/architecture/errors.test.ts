import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { errorCatalogue, type ErrorCode } from '../../src/errors.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const codes = Object.keys(errorCatalogue)

const read = (folder: string, wanted: (file: string) => boolean): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && wanted(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .join('\n')

test('every error is made somewhere', () => {
  const source = read('src', (file) => !file.endsWith('.test.ts') && file !== 'errors.ts')
  assert.deepEqual(
    codes.filter((code) => !source.includes(`'${code}'`)),
    [],
  )
})

test('every error is provoked by a test', () => {
  const tests = read('src', (file) => file.endsWith('.test.ts')) + read('test', (file) => !file.startsWith('architecture'))
  assert.deepEqual(
    codes.filter((code) => !tests.includes(code)),
    [],
  )
})

test('503 and 429 say when to send the request again, except where somebody has to act first', () => {
  const silent = codes.filter((code) => {
    const { status, retryAfter } = errorCatalogue[code as ErrorCode]
    return (status === 503 || status === 429) && retryAfter === null
  })
  assert.deepEqual(silent, [
    'restore.unfinished',
    'installation.moved',
    'migration.unfinished',
    'phones.other_country',
    'phones.unfinished',
    'database.unreachable',
    'database.distribution',
    'database.foreign',
    'database.damaged',
    'database.newer',
    'server.directory_in_use',
    'server.directory_read_only',
  ])
})

test('codes are area.what_went_wrong', () => {
  assert.deepEqual(
    codes.filter((code) => !/^[a-z_]+\.[a-z_]+$/.test(code)),
    [],
  )
})
