import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { address, list, percentEncode } from './jsonapi.ts'
import { decodeQuery } from '../routing/query.ts'
import * as fc from '../../../test/support/fast-check.ts'

const request = { origin: 'http://x', path: '/api/dev/data7', pairs: [] as [string, string][] }
const links = (offset: number, limit: number, total: number) => {
  const { body } = list(request, [], { offset, limit }, total)
  return Object.fromEntries(
    Object.entries((body as { links: Record<string, string> }).links).map(([name, link]) => [
      name,
      new URL(link).searchParams.get('page[offset]'),
    ]),
  )
}

describe('links', () => {
  it('have last at the largest multiple of the limit below the total', () => {
    for (const [limit, total, last] of [
      [2, 86, '84'],
      [2, 5, '4'],
      [2, 4, '2'],
      [20, 0, '0'],
      [20, 1, '0'],
      [20, 20, '0'],
      [20, 21, '20'],
      [50, 100_001, '100000'],
    ] as const) {
      assert.equal(links(0, limit, total)['last'], last)
    }
  })

  it('lead through every page and end', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.integer({ min: 1, max: 50 }), (total, limit) => {
        let [offset, pages] = [0, 1]
        for (let next = links(0, limit, total)['next']; next !== undefined; next = links(offset, limit, total)['next'], pages++) {
          assert.equal(Number(next), offset + limit)
          assert.equal(links(Number(next), limit, total)['prev'], String(offset))
          offset = Number(next)
        }
        assert.equal(pages, Math.max(1, Math.ceil(total / limit)))
        assert.equal(links(0, limit, total)['last'], String(offset))
      }),
    )
  })

  it('are read back as what they were made of', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ unit: 'binary' }))), (pairs) => {
        const text = address(request, pairs).slice('http://x/api/dev/data7?'.length)
        assert.match(text, /^[A-Za-z0-9\-._~%=&]*$/)
        assert.deepEqual(
          decodeQuery(text),
          [...pairs].sort(([a], [b]) => (a < b ? -1 : Number(a > b))),
        )
      }),
    )
  })
})

it('percent-encoding leaves letters, digits and - . _ ~', () => {
  const kept = 'ABCxyz019-._~'
  assert.equal(percentEncode(kept), kept)
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code)
    if (!/[A-Za-z0-9\-._~]/.test(character)) assert.equal(percentEncode(character), `%${code.toString(16).toUpperCase().padStart(2, '0')}`)
  }
})
