/** A request to the interface. */
export interface Call {
  /** With the origin. */
  readonly address: string
  /** Of its query, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** The attributes in the answer and how people call them. */
  readonly fields: readonly { readonly name: string; readonly title: string }[]
  /** Whether the answer is a list. */
  readonly isList: boolean
  /** What is sent to make a record, or to change one. */
  readonly sends?: {
    readonly method: 'POST' | 'PATCH'
    readonly type: string
    readonly id?: string
    readonly attributes: readonly (readonly [name: string, value: string])[]
  }
}

export const languages = ['curl', 'JavaScript', 'Python', 'PHP'] as const
export type Language = (typeof languages)[number]

/** Makes a program of a request, without comments. */
export type Makers = Readonly<Record<Language, (call: Call) => string>>

/** The variable of the environment in which a program finds the token. A token itself is never in the text. */
export const TOKEN = 'KARTOTEKA_TOKEN'
