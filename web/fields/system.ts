import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { usePreferences } from '../api/preferences.ts'
import { systemNames } from '../api/queries.ts'
import { useWords } from '../i18n/words.ts'
import type { Field } from './field.ts'

/* What every record has beside its fields: who made it, when, and when it was changed last. It is shown, filtered and sorted by as fields are; nobody sets it. */

const TYPES = { add_time: 'datetime', user_id: 'user', update_time: 'datetime' } as const
const TITLES = { add_time: 'attributeAdded', user_id: 'attributeUser', update_time: 'attributeUpdated' } as const

/** Attributes of a record that answers have only where they are named. */
export const isNamedOnly = (name: string): boolean => name === 'update_time'

const NONE: readonly Field[] = []

/** Those that the person may see, once the service has told which. */
export function useSystemFields(table: number, isThere: boolean): readonly Field[] {
  const say = useWords()
  const { language } = usePreferences()
  const names = useQuery({ ...systemNames(table), enabled: isThere }).data
  return useMemo(
    () =>
      names?.map((name, i) => ({
        id: -1 - i,
        name,
        title: say(TITLES[name]),
        type: TYPES[name],
        table,
        options: [],
        target: null,
        isRequired: false,
        isUnique: false,
        isSystem: true,
        hint: '',
        section: '',
        scale: 0,
        maxLength: null,
        extensions: [],
        maxFiles: null,
        maySet: false,
      })) ?? NONE,
    [names, table, language],
  )
}
