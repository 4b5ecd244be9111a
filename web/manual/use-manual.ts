import { useQuery } from '@tanstack/react-query'
import { usePreferences } from '../api/preferences.ts'
import type { Manual } from './chapter.ts'

const manuals: Readonly<Record<'en' | 'ru', () => Promise<Manual>>> = {
  en: () => import('virtual:manual-en'),
  ru: () => import('virtual:manual-ru'),
}

/** The manual in the language of the person, which is a part of the pages of its own. */
export function useManual() {
  const { language } = usePreferences()
  return useQuery({ queryKey: ['manual', language], queryFn: () => manuals[language](), staleTime: Infinity })
}
