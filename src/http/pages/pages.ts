/* The web pages (web/), as a build leaves them: one page for all their addresses, and parts whose names are made of their content. */

/** A file that the page loads. */
export interface Part {
  readonly media: string
  /** Its encodings, the best one first (`br`, `gzip`); without any, it is sent as it is. */
  readonly encodings: readonly string[]
}

/** Why there are no pages now. */
export interface Missing {
  /** For whoever opens the address; without characters that HTML escapes. */
  readonly says: string
  /** Whether it is worth asking again soon. */
  readonly isComing: boolean
}

export interface Pages {
  /** Undefined: they are there. */
  missing(): Missing | undefined
  /** The page of all addresses, in HTML. */
  page(): Uint8Array
  part(name: string): Part | undefined
  /** Its bytes in one of its encodings; `identity`: as it is. */
  bytes(name: string, encoding: string): Uint8Array
}
