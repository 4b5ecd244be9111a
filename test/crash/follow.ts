/*
 * A program that follows the log of changes: node follow.ts <file of its copy> <file with the address of the server> <token>. It is killed
 * and started again at any moment, and goes on with what its file has. What is wrong it writes beside the file, and ends.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readCopy, type Change, type Page } from './copy.ts'

const [, , file = '', address = '', token = ''] = process.argv

/** Milliseconds until it asks again where nothing has changed, or nobody answers. */
const PAUSE = 20

try {
  const copy = readCopy(file)
  for (;;) {
    const page = await nextPage(copy.cursor)
    if (!page || (page.changes.length === 0 && page.cursor === copy.cursor)) {
      await sleep(PAUSE)
      continue
    }
    copy.take(page)
    appendFileSync(file, `${JSON.stringify(page)}\n`)
  }
} catch (error) {
  writeFileSync(`${file}.wrong`, String((error as Error).stack))
}

/** Undefined where the server is away. */
async function nextPage(cursor: string): Promise<Page | undefined> {
  let status: number
  let body: { data: Change[]; meta: { cursor: string } }
  try {
    const answer = await fetch(`${readFileSync(address, 'utf8')}/api/dev/change?page[after]=${cursor}&page[limit]=50`, {
      headers: { 'X-Auth-Token': token },
    })
    ;[status, body] = [answer.status, (await answer.json()) as typeof body]
  } catch {
    return undefined
  }
  if (status === 503) return undefined
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  const changes = body.data.map(({ id, attributes: { table_id, record_id, action, changes } }) => ({
    id,
    attributes: { table_id, record_id, action, changes },
  }))
  return { cursor: body.meta.cursor, changes }
}
