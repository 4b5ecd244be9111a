import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { preferences, usePreferences, type Preferences } from '../api/preferences.ts'
import { afterColon } from './after-colon.ts'
import { messages, type Message } from './messages.ts'
import { nestedQuotes } from './quotes.ts'

/* All words of the pages, in ICU MessageFormat. */

type Values = Readonly<Record<string, string | number>>

i18n.setMessagesCompiler(compileMessage)
for (const [at, language] of (['en', 'ru'] as const).entries())
  i18n.load(language, Object.fromEntries(Object.entries(messages).map(([id, texts]) => [id, texts[at]!])))

/** The words of a message in the language of the person. */
export const say = (message: Message, values?: Values): string => sayIn(preferences().language, message, values)

/** The words of a message in a language. */
export function sayIn(language: Preferences['language'], message: Message, values?: Values): string {
  if (i18n.locale !== language) i18n.activate(language)
  const words = i18n._(message, values && isolated(placed(values, messages[message][language === 'ru' ? 1 : 0])))
  return values ? nestedQuotes(words, language) : words
}

/** Values that are sentences of their own, as they stand in the text of a message. */
const placed = (values: Values, text: string): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && (name === 'detail' || name === 'why') && text.includes(`: {${name}}`) ? afterColon(value) : value,
    ]),
  )

/** Characters whose direction is not that of the sentence, or that change the direction of what follows. */
const TURNS = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Values that turn the direction of text do so within themselves alone: U+2068 and U+2069 isolate them (Unicode UAX #9). */
const isolated = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && TURNS.test(value) ? `\u2068${value.replace(/[\u2066-\u2069]/g, '')}\u2069` : value,
    ]),
  )

/** The same for components: they are drawn again when another language is chosen. */
export function useWords(): typeof say {
  usePreferences()
  return say
}
