/**
 * A sentence of the service as it says it, with {names} of the values in it, and the same in Russian (ICU MessageFormat). In English people read the sentence of the service itself.
 */
export type Sentence = readonly [en: string, ru: string]

/** The sentences of each code of an error. */
export type Sentences = Readonly<Record<string, readonly Sentence[]>>
