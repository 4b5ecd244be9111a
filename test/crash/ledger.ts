/** Where a record is: live in a revision, in the trash, or nowhere. */
export type State = number | 'trash' | 'nowhere'

/** What is known of one record by the answers its client got. A client sends one write at a time. */
export interface Entry {
  /** Its own text, by which it is found also where no answer told its id. */
  readonly marker: string
  id: string | undefined
  /** As the last answer had it. */
  known: State
  /** What a write that was not answered would make of it. */
  asked: State | undefined
  /** Counts up with each change; what a restored record comes back as. */
  revision: number
  /** What no change alters: author, time and number, as the first answer told them. */
  fixed: Readonly<Record<string, string>> | undefined
  /** The ETag of the last answer; undefined where a write was not answered since. */
  tag: string | undefined
  /** The Idempotency-Key it was created with, and the answer to that. */
  key: string | undefined
  answer: string | undefined
  /** Whether the creation was sent again already. */
  repeated: boolean
}

/** A table whose records follow from marker and revision alone, so that a mixture of two revisions shows. */
export interface Shape {
  readonly type: string
  readonly table: number
  readonly fields: Readonly<Record<'marker' | 'name' | 'amount' | 'story' | 'code' | 'file' | 'number', string>>
}

export const newEntry = (marker: string): Entry => ({
  marker,
  id: undefined,
  known: 'nowhere',
  asked: undefined,
  revision: 1,
  fixed: undefined,
  tag: undefined,
  key: undefined,
  answer: undefined,
  repeated: false,
})

/** As a response shows it; autonumbers aside. */
export function shown({ fields }: Shape, marker: string, revision: number): Record<string, string> {
  return {
    [fields.marker]: marker,
    [fields.name]: `${marker} revision ${revision}`,
    [fields.amount]: `${revision}.25`,
    [fields.story]: `${marker} revision ${revision}\n`.repeat(1 + ((revision * 7) % 60)),
    [fields.code]: `${marker}/${revision}`,
    [fields.file]: fileNames(marker, revision).join('\r\n'),
  }
}

/** What the service itself writes into a record once. */
export const fixed = ({ fields }: Shape, attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(['user_id', 'add_time', fields.number].map((key) => [key, attributes[key]!]))

/** As a request sends it. */
export function sent(shape: Shape, marker: string, revision: number): Record<string, unknown> {
  const files = fileNames(marker, revision).map((name) => ({ file_name: name, content: contentOf(name) }))
  return { ...shown(shape, marker, revision), [shape.fields.file]: files }
}

/** Every third revision has no file, the others one or two. */
export const fileNames = (marker: string, revision: number): string[] =>
  ['a', 'b'].slice(0, revision % 3).map((letter) => `${marker}-${revision}${letter}.txt`)

export const contentOf = (name: string): string => `${name}\n`.repeat(50)
