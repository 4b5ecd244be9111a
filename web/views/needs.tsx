import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { me } from '../api/queries.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** Instead of a view for which the table lacks a field. Who may add one is led there. */
export function Needs({ table, words }: { readonly table: string; readonly words: string }) {
  const say = useWords()
  const administers = (useQuery(me).data?.data.attributes['administers'] ?? []) as readonly string[]
  return (
    <section className="empty">
      <h2>{words}</h2>
      {administers.includes('field') && (
        <Link className="button line" to="/admin/tables/$table" params={{ table }} search={{ field: 'new' }}>
          <Icon name="plus" />
          <span>{say('designerNew')}</span>
        </Link>
      )}
    </section>
  )
}
