import { Link } from '@tanstack/react-router'
import { titled } from './ids.ts'
import { mayRead } from './readable.ts'

/** A record that a value names: a link, unless the person may not read its table. */
export function Referred({ table, id, title }: { readonly table: number | null; readonly id: string; readonly title: string | undefined }) {
  if (title === undefined && !mayRead(table)) return <span className="quiet unread">{titled(title, id)}</span>
  return (
    <Link className="ref" to="/t/$table/$record" params={{ table: String(table), record: id }}>
      {titled(title, id)}
    </Link>
  )
}
