import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Failure } from '../../errors.ts'
import { mediaTypes, mustBeAcceptable, mustBeReadable } from './negotiation.ts'
import * as fc from '../../../test/support/fast-check.ts'

it('media types are read with their parameters, quoted ones too', () => {
  assert.deepEqual(mediaTypes('Text/HTML; Charset="a;b,\\"c" ;q=0.5, */*'), [
    {
      name: 'text/html',
      parameters: [
        ['charset', 'a;b,"c'],
        ['q', '0.5'],
      ],
    },
    { name: '*/*', parameters: [] },
  ])
  assert.deepEqual(mediaTypes('a/b; nonsense; x="y'), [
    {
      name: 'a/b',
      parameters: [
        ['', ''],
        ['', ''],
      ],
    },
  ])
})

it('any header is taken or refused, never a crash', () => {
  const header = fc
    .array(fc.constantFrom('application/vnd.api+json', ';', ',', '"', '\\', '=', 'ext', 'profile', 'q', '0.5', ' ', '*/*', 'x'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(header, fc.boolean(), (text, hasBody) => {
      for (const check of [() => mustBeAcceptable(text), () => mustBeReadable(text, hasBody)]) {
        try {
          check()
        } catch (error) {
          assert.ok(error instanceof Failure)
        }
      }
    }),
  )
})
