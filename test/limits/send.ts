import { wire, type Received } from '../fuzz/wire.ts'
import type { Sending } from './probes.ts'

/** Sends what a probe says, with a token but where it is open. */
export function sender(port: number, token: string) {
  const client = wire(port)
  return {
    close: () => client.close(),
    async one({ method, path, headers = {}, body, open }: Sending): Promise<Received | string> {
      const content = body === undefined ? undefined : Buffer.from(body)
      const answers = await client.exchange({
        method,
        target: path,
        headers: [
          ['Host', '127.0.0.1'],
          ...(open || 'X-Auth-Token' in headers ? [] : [['X-Auth-Token', token] as const]),
          ...(content && !('Content-Type' in headers) ? [['Content-Type', 'application/vnd.api+json'] as const] : []),
          ...(content ? [['Content-Length', String(content.length)] as const] : []),
          ...Object.entries(headers),
        ],
        body: content,
        content,
        oddlyFramed: false,
        cutShort: false,
      })
      return typeof answers === 'string' ? answers : (answers[0] ?? 'the connection ends')
    },
  }
}

/** The answer in short: its status and the code of its error. */
export function told(answer: Received | string): string {
  if (typeof answer === 'string') return answer
  const code = /"code":"([a-z_.]+)"/.exec(answer.body.toString('latin1', 0, 2_000))?.[1]
  return `${answer.status}${code === undefined ? '' : ` \`${code}\``}`
}
