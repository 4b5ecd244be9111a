import type { Readable } from 'node:stream'
import type { ByteRange, Stored } from '../files/file-storage.ts'
import { asideOf, keyOf, smallOf, sourceOf, type Bucket } from './bucket.ts'
import { listObjects } from './list-objects.ts'
import type { Content } from './answers.ts'
import type { Requests } from './requests.ts'

/* The bytes of files as objects of a bucket. */

export interface Objects {
  /** Undefined where it is neither there nor put aside. */
  stat(hash: string): Promise<Stored | undefined>
  /** The same without what was put aside. */
  statHere(hash: string): Promise<Stored | undefined>
  /** The bytes, to be read or destroyed. */
  get(hash: string, range: ByteRange | undefined): Promise<Readable | undefined>
  /** Stored when the promise resolves. */
  put(content: Content): Promise<void>
  /** Its age begins anew. Returns whether it is there. */
  touch(hash: string): Promise<boolean>
  /**
   * Puts the bytes aside, from where `stat`, `get` and `touch` bring them back. So what is named at the same moment by another process,
   * which cannot be seen yet, is not lost.
   */
  putAside(hash: string): Promise<void>
  bringBack(hash: string): Promise<boolean>
  remove(key: string): Promise<void>
}

export function objectsOf(bucket: Bucket, requests: Requests): Objects {
  const head = (key: string) => requests.ask({ method: 'HEAD', key, expects: [200, 404] })
  const remove = async (key: string) => void (await requests.ask({ method: 'DELETE', key, expects: [200, 204, 404] }))

  /** Within the bucket; false where there is nothing. */
  async function copy(from: string, to: string): Promise<boolean> {
    const headers = { 'x-amz-copy-source': sourceOf(bucket, from), 'x-amz-metadata-directive': 'REPLACE' }
    return (await requests.ask({ method: 'PUT', key: to, headers, expects: [200, 404] })).status === 200
  }
  async function statHere(hash: string): Promise<Stored | undefined> {
    const { status, headers } = await head(keyOf(hash))
    if (status === 404) return undefined
    const age = Date.parse(headers.date ?? '') - Date.parse(headers['last-modified'] ?? '')
    return { size: Number(headers['content-length']), age: Math.max(0, age) || 0 }
  }
  async function bringBack(hash: string): Promise<boolean> {
    if (!(await copy(asideOf(hash), keyOf(hash)))) return false
    await remove(asideOf(hash))
    return true
  }

  return {
    statHere,
    stat: async (hash) => (await statHere(hash)) ?? ((await bringBack(hash)) ? statHere(hash) : undefined),
    async get(hash, range) {
      const headers = range && { Range: `bytes=${range.start}-${range.end}` }
      const ask = () => requests.ask({ method: 'GET', key: keyOf(hash), ...(headers && { headers }), expects: [range ? 206 : 200, 404] })
      let answer = await ask()
      if (answer.status === 404) {
        answer.body.resume()
        if (await bringBack(hash)) answer = await ask()
      }
      if (answer.status !== 404) return answer.body
      answer.body.resume()
      return undefined
    },
    async put(content) {
      await requests.ask({ method: 'PUT', key: keyOf(content.hash), body: content, expects: [200] })
    },
    touch: async (hash) => (await copy(keyOf(hash), keyOf(hash))) || bringBack(hash),
    async putAside(hash) {
      if (!(await copy(keyOf(hash), asideOf(hash)))) return
      for await (const { key } of listObjects(requests, bucket.prefix, smallOf(hash))) await remove(key)
      await remove(keyOf(hash))
    },
    bringBack,
    remove,
  }
}
