import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobKind, Running } from '../../src/jobs/job-kind.ts'
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

/** A kind whose steps a test lets go on one after the other. */
export function stepsKind() {
  const waiting = new Map<number, () => void>()
  const kind: JobKind<{ readonly steps: number }, number> = {
    name: 'steps',
    goesOn: true,
    tableOf: () => 0,
    allow: () => undefined,
    resultOf: (position) => ({ position: position ?? null }),
    async run(running: Running<number>, { steps }) {
      let position = running.position ?? 0
      for (; position < steps; position++) {
        await running.goOn()
        await new Promise<void>((resolve) => {
          waiting.set(running.id, resolve)
          running.signal.addEventListener('abort', () => resolve())
          if (running.signal.aborted) resolve()
        })
        await running.advance(undefined, { done: position + 1, total: steps, position: position + 1 })
      }
      return position
    },
  }
  return { kinds: new Map([[kind.name, kind]]), waiting, step: (id: number) => waiting.get(id)!() }
}
