import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { limits, type LimitName } from '../../src/limits.ts'
import { heldBy } from './held-by.ts'
import { makePlace, type Place } from './place.ts'
import { probes } from './probes.ts'
import { sender, told } from './send.ts'
import { scratchProgram, type ScratchProgram } from '../support/scratch-program.ts'

// The requests are in probes.ts, under the names of the limits.
describe('one more than a limit', () => {
  let program: ScratchProgram
  let place: Place
  let send: ReturnType<typeof sender>
  before(async () => {
    program = scratchProgram({ KARTOTEKA_LOG_LEVEL: 'silent' })
    const token = await program.token()
    const server = await program.serve()
    place = await makePlace(server, token)
    send = sender(Number(new URL(server.url).port), token)
  })
  after(async () => {
    send.close()
    await program.remove()
  })

  for (const [name, probe] of Object.entries(probes)) {
    if (!('sent' in probe)) continue
    const { most, beyond } = limits[name as LimitName]
    const codes = beyond.split(', ').map((code) => `\`${code}\``)
    it(`is refused as ${beyond}: ${name}`, async () => {
      const answers: string[] = []
      for (const sending of (probe.beyond ?? probe.sent)(place, most + 1)) answers.push(told(await send.one(sending)))
      assert.ok(
        answers.some((answer) => codes.some((code) => answer.includes(code))),
        answers.join('; '),
      )
    })
  }
})

describe('a limit', () => {
  for (const [name, file] of Object.entries(heldBy)) {
    it(`is held by a test that names it, or the error beyond it: ${name}`, () => {
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      if (file === 'test/limits/limits.test.ts') return assert.ok('sent' in probes[name as LimitName], 'nothing is sent at this limit')
      const codes = limits[name as LimitName].beyond.match(/[a-z]+\.[a-z_]+/g) ?? []
      const named = new RegExp(`\\blimits\\.${name}\\b|'${name}'|\\b${name}\\b.* = limits\\b`)
      assert.ok(
        named.test(text) || codes.some((code) => text.includes(code)),
        `${file} names neither limits.${name} nor ${codes.join(', ')}`,
      )
    })
  }
})
