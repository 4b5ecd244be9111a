import { ApiError, failed } from './client.ts'
import { tellBack, tellLost } from './connection.ts'

/* Bytes of files, out and in. */

/** Sends a file, and resolves to the answer. `tell`: how much of it has gone, from 0 to 1. @throws ApiError, or the reason of the signal */
export function upload(
  path: string,
  file: Blob,
  tell: (part: number) => void,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    // Unlike fetch it tells how much has been sent.
    const request = new XMLHttpRequest()
    request.open('PUT', `/api/dev/${path}`)
    const all = {
      'X-Requested-With': 'kartoteka',
      Accept: 'application/vnd.api+json',
      'Content-Type': 'application/octet-stream',
      ...headers,
    }
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => tell(total === 0 ? 1 : loaded / total))
    request.addEventListener('load', () => {
      tellBack()
      if (request.status < 300) resolve(request.responseText)
      else reject(failed(request.status, request.responseText, request.getResponseHeader('retry-after')))
    })
    request.addEventListener('error', () => {
      tellLost()
      reject(new ApiError(0, 'network', ''))
    })
    request.addEventListener('abort', () => reject(signal.reason as Error))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/** The beginning of a text, at most so many bytes; `isWhole`: that is all of it. What is no UTF-8 is read as Windows-1251. @throws ApiError */
export async function beginningOf(address: string, most: number, signal?: AbortSignal): Promise<{ text: string; isWhole: boolean }> {
  const answer = await fetch(address, { credentials: 'same-origin', ...(signal && { signal }) })
  if (!answer.ok || !answer.body) throw failed(answer.status, await answer.text(), null)
  const reader = answer.body.getReader()
  const bytes = new Uint8Array(most)
  let length = 0
  let isWhole = false
  while (length < most) {
    const { done, value } = await reader.read()
    if (done) {
      isWhole = true
      break
    }
    bytes.set(value.subarray(0, most - length), length)
    length += Math.min(value.length, most - length)
  }
  await reader.cancel()
  const read = bytes.subarray(0, length)
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(read, { stream: true }), isWhole }
  } catch {
    return { text: new TextDecoder('windows-1251').decode(read), isWhole }
  }
}
