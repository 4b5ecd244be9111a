import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { memo } from '../../memory/memo.ts'
import type { FileStorage } from '../files/file-storage.ts'
import type { Uses } from '../ground/store.ts'
import type { Asker } from '../model/asker.ts'
import { fairQueue } from '../scheduling/fair-queue.ts'
import { fairTurns } from '../scheduling/fair-turns.ts'
import { decoder, type Decoder } from './decoder.ts'

/*
 * Small images of stored files, made when they are asked for and kept beside the bytes. The bytes are decoded in a process of its own; the
 * queue and everything that an image can cost are bounded.
 */

/** Pixels of the longer side. */
export const sides = ['64', '256', '1024'] as const

export interface Thumbnail {
  readonly bytes: Uint8Array
  readonly mimeType: string
}

const makerOf = memo((_: FileStorage) => ({
  inTurn: fairTurns(fairQueue(limits.thumbnailsWaiting.most, limits.thumbnailsOfUser.most), 1, 1),
  decoder: decoder(),
}))

/**
 * The small image of a file: JPEG, or PNG where it has transparent parts. Undefined: the bytes are not stored.
 * @throws `thumbnail.impossible`, `thumbnail.unavailable`, `server.busy`, Abandoned
 */
export async function thumbnailOf(
  { files }: Uses<'files'>,
  { hash, size }: { readonly hash: string; readonly size: number },
  side: (typeof sides)[number],
  by: Asker,
): Promise<Thumbnail | undefined> {
  const known = await files.small.get(hash, side)
  if (known) return shown(known)
  if (size > limits.thumbnailBytes.most) throw impossible(`it has more than ${limits.thumbnailBytes.most} bytes`)
  const maker = makerOf(files)
  return maker.inTurn(by, async () => {
    // Somebody else may have waited for the same one.
    const made = await files.small.get(hash, side)
    if (made) return shown(made)
    const stream = await files.stream(hash)
    if (!stream) return undefined
    const bytes = await makeThumbnail(maker.decoder, await whole(stream as AsyncIterable<Buffer>), Number(side))
    await files.small.put(hash, side, bytes)
    return shown(bytes)
  })
}

/**
 * The small image or, as text, why the decoder refuses this one, so that it is not decoded again.
 * @throws `thumbnail.impossible`, `thumbnail.unavailable`
 */
export async function makeThumbnail(by: Decoder, bytes: Buffer, side: number): Promise<Uint8Array> {
  if (!isImage(bytes)) throw impossible('it is no JPEG, PNG, GIF, WebP or AVIF')
  const decoded = await by.decode(bytes, side)
  if ('missing' in decoded) throw fail('thumbnail.unavailable')
  if ('failed' in decoded) throw impossible(decoded.failed)
  return 'refused' in decoded ? Buffer.from(decoded.refused || 'it cannot be decoded') : decoded.bytes
}

const impossible = (why: string) => fail('thumbnail.impossible', { why })

/** What `makeThumbnail` gave. @throws `thumbnail.impossible` */
function shown(bytes: Uint8Array): Thumbnail {
  const mimeType = { 0x89: 'image/png', 0xff: 'image/jpeg' }[bytes[0]!]
  if (mimeType === undefined) throw impossible(Buffer.from(bytes).toString())
  return { bytes, mimeType }
}

async function whole(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** By the first bytes: nothing else reaches the decoder, whatever its name is. */
function isImage(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12)
  return /^(?:\xff\xd8\xff|\x89PNG\r\n[^]\n|GIF8[79]a|RIFF[^]{4}WEBP|[^]{4}ftypavif)/.test(head)
}
