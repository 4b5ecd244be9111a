import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { headerOf, isFor } from './target-of.ts'

describe('a file that is dropped on an open table', () => {
  it('has its columns read from its first line', () => {
    assert.deepEqual(headerOf('\ufeffName;"Tel. ""home"""; City \r\na;b;c'), ['Name', 'Tel. "home"', 'City'])
    assert.deepEqual(headerOf('Name\tCity'), ['Name', 'City'])
    assert.deepEqual(
      [headerOf('PK\u0003\u0004\0'), headerOf('\ufffd\ufffd;b'), headerOf('{"a":1}'), headerOf('')],
      Array(4).fill(undefined),
    )
  })

  it('is for the table where it has no other columns, or its name', () => {
    const fields = ['Name', 'Phone', 'City']
    const into = (name: string, ...header: string[]) => isFor({ name, header }, 'Our clients', fields)
    assert.equal(into('export.csv', 'phone', 'NAME'), true)
    assert.equal(into('shippers.csv', 'shipperID', 'Name', 'Phone'), false)
    assert.equal(into('our_clients (2).csv', 'Name', 'Fax'), true)
    assert.equal(isFor({ name: 'book.xlsx', header: undefined }, 'Our clients', fields), true)
  })
})
