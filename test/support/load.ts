import type { Service } from './service.ts'

/** Clients who write and read until they are told to end, and what they saw. */
export interface Load {
  /** Creates answered 201. */
  done(): number
  /** Requests answered 503 with Retry-After. */
  refused(): number
  /** Any other answers. */
  readonly strange: string[]
  /** Resolves when so many more creates were answered. */
  more(count: number): Promise<void>
  /** Resolves when a request is refused. */
  refusal(): Promise<void>
  /** Asks no further and waits for the answers; creates answered 201 in all. */
  end(): Promise<number>
}

/** Each client repeats a create, on the next node and under its key, until it is answered; where `keys` is false, it has none. */
export function load(
  nodes: readonly Service[],
  table: string,
  { clients = 4, keys = true, attributesOf = (_key: string): object => ({}) } = {},
): Load {
  const strange: string[] = []
  let running = true
  let done = 0
  let refused = 0
  let changed = Promise.withResolvers<void>()
  function judge(status: number, wanted: number, retryAfter: string | null, text: string): boolean {
    if (status === wanted) return true
    refused++
    if (status !== 503 || retryAfter === null) strange.push(`${status} ${text}`)
    changed.resolve()
    return false
  }
  async function create(key: string): Promise<void> {
    for (let tries = 0; ; tries++) {
      const { status, headers, text } = await nodes[tries % nodes.length]!.send('POST', `/api/dev/data${table}`, {
        ...(keys && { headers: { 'Idempotency-Key': key } }),
        body: { data: { type: `data${table}`, attributes: attributesOf(key) } },
      })
      if (judge(status, 201, headers.get('retry-after'), text)) break
      await new Promise((next) => setTimeout(next, 50))
    }
    done++
    changed.resolve()
  }
  const client = async (name: number) => {
    for (let i = 0; running; i++) {
      await create(`${name}-${i}`)
      const { status, headers, text } = await nodes[(name + i) % nodes.length]!.get(`data${table}?page[limit]=2&sort=-add_time`)
      judge(status, 200, headers.get('retry-after'), text)
    }
  }
  const all = Array.from({ length: clients }, (_, i) => client(i))
  async function until(reached: () => boolean): Promise<void> {
    while (!reached()) {
      changed = Promise.withResolvers()
      await changed.promise
    }
  }
  return {
    strange,
    done: () => done,
    refused: () => refused,
    more(count) {
      const before = done
      return until(() => done >= before + count)
    },
    refusal() {
      const before = refused
      return until(() => refused > before)
    },
    async end() {
      running = false
      await Promise.all(all)
      return done
    },
  }
}
