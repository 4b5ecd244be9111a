/* What a build makes of a page of docs/manual (scripts/manual.ts). */

/** A part of a line. `strong`: a word of the pages; `code`: what is typed, or keys. */
export type Span = string | { readonly strong: string } | { readonly em: string } | { readonly code: string }

export type Block =
  | { readonly heading: string }
  | { readonly text: readonly Span[] }
  | { readonly list: readonly (readonly Span[])[]; readonly isOrdered: boolean }
  | { readonly head: readonly (readonly Span[])[]; readonly rows: readonly (readonly (readonly Span[])[])[] }
  | { readonly picture: string; readonly alt: string }

export interface Chapter {
  /** In its address. */
  readonly name: string
  readonly title: string
  /** In a line, what it is about. */
  readonly lead: string
  readonly blocks: readonly Block[]
}

/** Pixels. */
export interface Picture {
  readonly src: string
  readonly width: number
  readonly height: number
}

export interface Manual {
  readonly chapters: readonly Chapter[]
  /** By name; none where the build had none. */
  readonly pictures: Readonly<Record<string, Picture>>
}
