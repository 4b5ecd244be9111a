import type { Environment } from './store.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Bytes from this value on are discarded, so that every character is equally likely. */
const FAIR = 256 - (256 % LETTERS.length)

/** A secret of letters and digits, for tokens and invitations. */
export function randomText({ environment }: { readonly environment: Environment }, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of environment.randomBytes(length)) if (byte < FAIR && text.length < length) text += LETTERS[byte % LETTERS.length]
  }
  return text
}
