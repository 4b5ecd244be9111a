import assert from 'node:assert/strict'
import type { Answer, Sending, Service } from './service.ts'

/* A page of the service in a browser: what it sends by itself, and the cookie that it keeps. */

/** What a browser and a page of the service send with a request that writes. */
export const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Requested-With': 'kartoteka' } as const

export interface Browser {
  /** `kartoteka_session=…` */
  readonly cookie: string
  /** The answer to the sign-in. */
  readonly answer: Answer
  /** Below /api/dev/. `service`: another process. */
  send(method: string, path: string, sending?: Sending, service?: Service): Promise<Answer>
}

export const signInBody = (login: string, password: string, more: object = {}) => ({
  data: { type: 'session', attributes: { login, password, ...more } },
})

/** Signs in somebody, as a page does. */
export async function openBrowser(service: Service, login: string, password: string): Promise<Browser> {
  const answer = await service.send('POST', '/api/dev/session', { token: null, body: signInBody(login, password), headers: OWN_PAGE })
  assert.equal(answer.status, 201, answer.text)
  const [cookie = ''] = answer.headers.get('set-cookie')!.split(';')
  return {
    cookie,
    answer,
    send: (method, path, { headers, ...sending } = {}, to = service) =>
      to.send(method, `/api/dev/${path}`, {
        token: null,
        ...sending,
        headers: { Cookie: cookie, ...(method !== 'GET' && OWN_PAGE), ...headers },
      }),
  }
}
