import { useQuery } from '@tanstack/react-query'
import { namesDiffer } from '../api/administration.ts'
import { ApiError } from '../api/client.ts'
import { changeAct } from '../api/structure-acts.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { useTrouble } from '../ui/trouble.tsx'
import { TickSetting } from './setting.tsx'
import { useActs } from './use-acts.ts'
import { useDoing } from './use-doing.ts'

/** Whether no two fields of a table may have the same name. Where some have, they are named. */
export function UniqueNames({ table, name }: { readonly table: string; readonly name: string }) {
  const say = useWords()
  const trouble = useTrouble()
  const doing = useDoing()
  const put = useActs(doing)
  const is = useQuery(namesDiffer(table)).data
  if (is === undefined) return null
  const { error } = doing
  const why = error instanceof ApiError ? error.attributes.get('unique_field_names') : undefined
  return (
    <div className="design-sections">
      <TickSetting
        name={say('tableUniqueNames')}
        hint={say('tableUniqueNamesHint')}
        value={is}
        error={doing.is !== 'refused' ? undefined : why === undefined ? trouble(error) : told(why)}
        onSave={(value) => void put(name, () => changeAct('table', table, { unique_field_names: value }))}
      />
    </div>
  )
}
