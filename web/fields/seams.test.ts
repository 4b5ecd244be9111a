import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from './seams.ts'

test('addresses have seams where their parts meet', () => {
  for (const [text, parts] of [
    ['person.1@company.example', ['person', '.1@', 'company', '.example']],
    ['https://www.company-1.example/a?b=c', ['https://', 'www', '.company', '-1', '.example/', 'a?', 'b=', 'c']],
    ['a@', ['a@']],
    ['.', ['.']],
    ['', ['']],
  ] as const)
    assert.deepEqual(partsOf(text), parts)
})
