import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorsOf, startService, type Service } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const DAY = 86_400_000

describe('a clock that is set back', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('makes no invitation valid for longer than the longest, and takes none away by less than a day', async () => {
    const user_id = Number(await service.make('user', { login: 'anna', group_id: 3 }))
    const invited = async () => (await service.add('invitation', { user_id, lifetime: 30 * 86_400 })).json.data.attributes.code as string
    const redeem = (code: string) => service.add('invitation', { code, password: 'long enough' }, null, 'invitation/redeem')
    const wrong = await invited()
    service.clock.now -= 365 * DAY
    assert.deepEqual(errorsOf(await redeem(wrong)), ['404 auth.invitation_invalid'])
    const right = await invited()
    service.clock.now -= DAY / 2
    assert.equal((await redeem(right)).status, 200)
  })

  it('does not stop the last use of a token from being noted', async () => {
    const used = async () => (await service.get('token/1')).json.data.attributes.last_used as string
    await used()
    service.clock.now -= 5 * DAY
    const today = new Date(service.clock.now).toISOString().slice(0, 10)
    // Noted beside the request, which does not wait for it.
    await until('the last use', async () => (await used()).startsWith(today))
  })
})
