import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf, shownAddress } from './seams.ts'

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

test('addresses are shown without what nearly all begin with', () => {
  for (const [text, shown] of [
    ['https://www.company.example', 'www.company.example'],
    ['HTTPS://company.example/', 'company.example'],
    ['https://company.example/a/', 'company.example/a/'],
    ['http://company.example', 'http://company.example'],
    ['company.example', 'company.example'],
    ['https://', 'https://'],
    ['javascript:alert(1)//', 'javascript:alert(1)//'],
    ['', ''],
  ] as const)
    assert.equal(shownAddress(text), shown)
})
