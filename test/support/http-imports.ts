import assert from 'node:assert/strict'
import { jobWhen } from './jobs.ts'
import type { Answer, Service } from './service.ts'

type Values = Readonly<Record<string, unknown>>

/** The requests of an import over HTTP. */
export function httpImports(service: Service) {
  const draft = (attributes: Values, token?: string): Promise<Answer> =>
    service.call('POST', 'job', { data: { type: 'job', attributes: { kind: 'import', ...attributes } } }, token)
  const put = (id: string, bytes: string | Uint8Array, token?: string): Promise<Answer> =>
    service.send('PUT', `/api/dev/job/${id}/file`, {
      body: bytes,
      headers: { 'Content-Type': 'application/octet-stream' },
      ...(token !== undefined && { token }),
    })
  return {
    draft,
    put,
    map: (id: string, input: Values, token?: string): Promise<Answer> => service.change('job', id, { input }, token),
    run: (id: string, query = '', token?: string): Promise<Answer> => service.call('POST', `job/${id}/run${query}`, undefined, token),
    preview: (id: string, token?: string): Promise<Answer> => service.get(`job/${id}/preview`, token),
    errors: async (id: string, token?: string): Promise<string> => (await service.get(`job/${id}/errors`, token)).text,
    /** The id of a draft that has its file. */
    async made(bytes: string | Uint8Array, attributes: Values, token?: string): Promise<string> {
      const answer = await draft(attributes, token)
      assert.equal(answer.status, 202, answer.text)
      const { id } = answer.json.data
      const stored = await put(id, bytes, token)
      assert.equal(stored.status, 200, stored.text)
      return id
    },
    /** A job that a request has begun, once it has ended. */
    async ended(answer: Answer, token?: string): Promise<Answer['json']> {
      assert.equal(answer.status, 202, answer.text)
      return { id: answer.json.data.id, ...(await jobWhen(service, answer.json.data.id, undefined, token)) }
    },
  }
}
