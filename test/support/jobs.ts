import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Service } from './service.ts'

const open = ['queued', 'running']

/** The attributes of a job, once it has ended or what is asked for holds. */
export async function jobWhen(
  { get }: Pick<Service, 'get'>,
  id: string,
  holds: (job: Answer['json']) => boolean = ({ state }) => !open.includes(state),
  token?: string,
): Promise<Answer['json']> {
  for (let tries = 0; ; tries++) {
    const answer = await get(`job/${id}`, token)
    assert.equal(answer.status, 200, answer.text)
    const { attributes } = answer.json.data
    if (holds(attributes)) return attributes
    assert.ok(tries < 6_000, `the job stays ${answer.text}`)
    await sleep(10)
  }
}
