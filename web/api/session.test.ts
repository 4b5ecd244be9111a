import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deviceOf } from './session.ts'

it('a session is named after the browser and its system', () => {
  const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  assert.equal(deviceOf(chrome), 'Chrome, Windows')
  assert.equal(deviceOf(`${chrome} Edg/140.0.0.0`), 'Edge, Windows')
  assert.equal(deviceOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'Firefox, Linux')
  const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
  assert.equal(deviceOf(`Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${safari}`), 'Safari, iPhone')
  assert.equal(deviceOf(''), '')
})
