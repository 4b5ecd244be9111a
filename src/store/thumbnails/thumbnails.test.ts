import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeThumbnail } from './thumbnails.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

it('where there is no decoder, that is said', async () => {
  await assert.rejects(makeThumbnail({ decode: async () => ({ missing: true }) }, png, 64), { code: 'thumbnail.unavailable', status: 501 })
})

it('what is no image does not reach the decoder', async () => {
  const decode = () => assert.fail('decoded')
  for (const text of ['', '<svg/>', '%PDF-1.7', 'II*\0', 'xxxxftypheic'])
    await assert.rejects(makeThumbnail({ decode }, Buffer.from(text, 'latin1'), 64), { code: 'thumbnail.impossible' })
})
