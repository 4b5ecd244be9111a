import type { Resource } from '../api/client.ts'

/** Tables by their names, as choices of a `Select`. */
export const TableOptions = ({ tables }: { readonly tables: readonly Resource[] }) =>
  tables.map(({ id, attributes }) => (
    <option key={id} value={id}>
      {String(attributes['table_name'])}
    </option>
  ))
