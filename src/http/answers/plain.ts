import type { Reply } from '../routing/route.ts'

/* Answers that are not documents of JSON:API. Nobody keeps them: they are about this moment. */

export const asText = (status: number, type: string, text: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers },
  body: Buffer.from(text),
})

export const asJson = (status: number, value: object): Reply => asText(status, 'application/json', `${JSON.stringify(value)}\n`)
