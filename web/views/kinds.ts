import type { Message } from '../i18n/messages.ts'

/** The ways to show the records of a table: each has a file beside, which web/table/show.ts names. */
export interface Kind {
  readonly name: string
  readonly icon: string
  readonly message: Message
}

export const kinds: readonly Kind[] = [
  { name: 'grid', icon: 'grid', message: 'kindGrid' },
  { name: 'cards', icon: 'image', message: 'kindCards' },
  { name: 'board', icon: 'board', message: 'kindBoard' },
  { name: 'calendar', icon: 'calendar', message: 'kindCalendar' },
  { name: 'chart', icon: 'chart', message: 'kindChart' },
]

export const kindNamed = (name: unknown): Kind => kinds.find((one) => one.name === name) ?? kinds[0]!
