import type { Environment } from '../store/ground/store.ts'

/** Bytes of an id. */
const LENGTH = 9
/** Random bytes that are drawn at once: one draw takes longer than all else that is done for an id. */
const DRAWN = LENGTH * 256

/** Makes ids of requests: random, so that they tell nobody how many requests there are. */
export function requestNames({ randomBytes }: Pick<Environment, 'randomBytes'>): () => string {
  let drawn = Buffer.alloc(0)
  let used = 0
  return () => {
    if (used === drawn.length) {
      drawn = Buffer.from(randomBytes(DRAWN))
      used = 0
    }
    return drawn.toString('base64url', used, (used += LENGTH))
  }
}
