import { useOutbox } from '../api/outbox.ts'
import { useWords } from '../i18n/words.ts'

/** What stands beside a change that waits: for the connection, or for room on the disk of the service. */
export function useWaits(): string {
  const say = useWords()
  return say(useOutbox().isFull ? 'waitsForRoom' : 'waits')
}

/** These words. Only what waits follows the changes that wait. */
export function Waits() {
  return <>{useWaits()}</>
}
