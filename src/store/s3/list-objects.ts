import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { textOf } from './answers.ts'
import type { Requests } from './requests.ts'

export interface ListedObject {
  /** Without the prefix. */
  readonly key: string
  /** Milliseconds since it was stored, by the clock of the service. */
  readonly age: number
}

/** Objects of a page; no service gives more. */
const PAGE = 1_000

/** The objects whose keys begin with `under`, in the order of their keys. A page is read when the one before it is done. */
export async function* listObjects(requests: Requests, prefix: string, under = '', pageSize = PAGE): AsyncGenerator<ListedObject> {
  for (let token: string | undefined; ;) {
    const answer = await requests.ask({
      method: 'GET',
      query: {
        'list-type': '2',
        'max-keys': String(pageSize),
        prefix: prefix + under,
        ...(token !== undefined && { 'continuation-token': token }),
      },
      expects: [200],
    })
    const page = await textOf(answer.body, limits.s3Page.most).catch((error: unknown) => {
      throw Object.assign(fail('server.files_unavailable'), { cause: error })
    })
    const now = timeOf(answer.headers.date)
    for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const key = valueOf(entry, 'Key') ?? ''
      if (key.startsWith(prefix)) yield { key: key.slice(prefix.length), age: Math.max(0, now - timeOf(valueOf(entry, 'LastModified'))) }
    }
    token = valueOf(page, 'IsTruncated') === 'true' ? valueOf(page, 'NextContinuationToken') : undefined
    if (token === undefined) return
  }
}

const timeOf = (text: string | undefined): number => {
  const time = Date.parse(text ?? '')
  if (Number.isNaN(time)) throw Object.assign(fail('server.files_unavailable'), { cause: new Error('S3: an answer without a time') })
  return time
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text of the first element of this name. */
function valueOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return found?.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, word?: string) =>
    word === undefined ? String.fromCodePoint(decimal === undefined ? parseInt(hex!, 16) : Number(decimal)) : (named[word] ?? whole),
  )
}
