/* The web pages (web/), as a build leaves them: one page for all their addresses, and parts whose names are made of their content. */

/** A file that the page loads. */
export interface Part {
  readonly media: string
  /** Its encodings, the best one first (`br`, `gzip`); without any, it is sent as it is. */
  readonly encodings: readonly string[]
}

export interface Pages {
  /** Why there are none now, in words for whoever opens the address; undefined: they are there. */
  missing(): string | undefined
  /** The page of all addresses, in HTML. */
  page(): Promise<Uint8Array>
  part(name: string): Part | undefined
  /** Its bytes in one of its encodings; `identity`: as it is. */
  bytes(name: string, encoding: string): Promise<Uint8Array>
}
