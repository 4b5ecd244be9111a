import { usePreferences, type Preferences } from '../api/preferences.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from './choice.tsx'

/** Language and theme. */
export function Look({ onChoose }: { readonly onChoose: (chosen: Partial<Preferences>) => void }) {
  const say = useWords()
  const { language, theme } = usePreferences()
  return (
    <>
      <Choice
        name={say('language')}
        value={language}
        options={[
          ['en', 'English'],
          ['ru', 'Русский'],
        ]}
        onChoose={(chosen) => onChoose({ language: chosen })}
      />
      <Choice
        name={say('theme')}
        value={theme}
        options={[
          ['system', say('themeSystem')],
          ['light', say('themeLight')],
          ['dark', say('themeDark')],
        ]}
        onChoose={(chosen) => onChoose({ theme: chosen })}
      />
    </>
  )
}
