import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** The list has changed: it is read again when the person wishes. */
export function ShowChanges({ onShow }: { onShow(): void }) {
  const say = useWords()
  return (
    <button type="button" className="button line" title={say('showChanges')} onClick={onShow}>
      <Icon name="refresh" />
      <span>{say('showChanges')}</span>
    </button>
  )
}
