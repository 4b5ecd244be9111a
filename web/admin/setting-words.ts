import { messages, type Message } from '../i18n/messages.ts'

/** What the setting of a flag is for, in words for people; undefined: the pages do not know it. */
export function wordsOfSetting(flag: string): Message | undefined {
  const name = `set${flag.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}`
  return Object.hasOwn(messages, name) ? (name as Message) : undefined
}
