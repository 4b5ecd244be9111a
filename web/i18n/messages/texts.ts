/** Messages by name, in ICU MessageFormat. A message that lacks a language does not compile. */
export type Texts = Readonly<Record<string, readonly [en: string, ru: string]>>
