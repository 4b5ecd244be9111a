/** A file in a write: interface.md, "File field". Content is base64 when binary, else the literal text. */
export interface FileObject {
  readonly fileName: string
  readonly content: string
  readonly binary: boolean
}

/** What a client may send for one attribute, after JSON scalars have become text. */
export type Sent = string | readonly string[] | readonly FileObject[]
export type SentAttributes = ReadonlyMap<string, Sent>

export const isFileList = (sent: Sent): sent is readonly FileObject[] => typeof sent !== 'string' && typeof sent[0] === 'object'
