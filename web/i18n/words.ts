import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { preferences, usePreferences } from '../api/preferences.ts'
import { messages, type Message } from './messages.ts'

/* All words of the pages, in ICU MessageFormat. */

type Values = Readonly<Record<string, string | number>>

i18n.setMessagesCompiler(compileMessage)
for (const [at, language] of (['en', 'ru'] as const).entries())
  i18n.load(language, Object.fromEntries(Object.entries(messages).map(([id, texts]) => [id, texts[at]!])))

/** The words of a message in the language of the person. */
export function say(message: Message, values?: Values): string {
  const { language } = preferences()
  if (i18n.locale !== language) i18n.activate(language)
  return i18n._(message, values)
}

/** The same for components: they are drawn again when another language is chosen. */
export function useWords(): typeof say {
  usePreferences()
  return say
}
