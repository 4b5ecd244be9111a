import { locale } from '../api/preferences.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import type { useWalk } from '../ui/walk.ts'

/** Leads to the records beside this one in its list, and says where it is in it. J and K do the same. */
export function Beside({ walk: { next, previous, place, total } }: { readonly walk: ReturnType<typeof useWalk> }) {
  const say = useWords()
  const figure = (value: number) => new Intl.NumberFormat(locale()).format(value)
  const button = (word: 'previousRecord' | 'nextRecord', icon: string, act: false | (() => void), key: string) => (
    <button
      type="button"
      className="button square"
      // It may have the focus: one that is `disabled` would lose it.
      aria-disabled={!act}
      aria-label={say(word)}
      aria-keyshortcuts={key}
      title={`${say(word)} (${key})`}
      onClick={act || undefined}
    >
      <Icon name={icon} />
    </button>
  )
  return (
    <>
      {button('previousRecord', 'chevron-up', previous, 'K')}
      {button('nextRecord', 'chevron-down', next, 'J')}
      <span className="quiet cut place" role="status">
        {place !== undefined && total !== undefined && say('placeOf', { place: figure(place + 1), total: figure(total) })}
      </span>
    </>
  )
}
