import { locale } from '../api/preferences.ts'
import type { Group } from '../api/views.ts'
import type { useWords } from '../i18n/words.ts'
import { periodName, type Grouping } from './grouping.ts'
import type { Head } from './lines.ts'

type Say = ReturnType<typeof useWords>

/** The heads of the groups of a list, in the order of its records. */
export function headsBy(
  grouping: Grouping,
  groups: readonly Group[],
  isBack: boolean,
  isFolded: (value: string) => boolean,
  say: Say,
): readonly Head[] {
  let from = 0
  return (isBack ? groups.toReversed() : groups).map(({ value, label, count = 0 }) => {
    const head = { value: value ?? '', label: nameOf(grouping, value, label, say), from, count, isFolded: isFolded(value ?? '') }
    from += count
    return head
  })
}

function nameOf({ field, period }: Grouping, value: string | null, label: string | null, say: Say): string {
  if (field.type === 'boolean') return say(value === '1' ? 'yes' : 'no')
  if (!label) return say('groupNone')
  return period ? periodName(label, period, locale()) : label
}
