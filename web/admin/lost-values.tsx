import { useWords } from '../i18n/words.ts'

/** A value that a conversion would lose, and a record that holds it. */
export interface LostValue {
  readonly record_id: string
  readonly value: string
}

/** As many as the service names. */
const SHOWN = 10

/** Some of the values that would be lost, each with a way to its record. */
export function LostValues({
  title,
  count,
  examples,
  isEachOnce = false,
  table,
}: {
  readonly title: string
  readonly count: number
  readonly examples: readonly LostValue[]
  /** Whether a value that several records hold stands there once. */
  readonly isEachOnce?: boolean
  readonly table: number
}) {
  const say = useWords()
  return (
    <>
      <h3>{title}</h3>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{say('convertExample')}</th>
            <th scope="col">{say('convertRecord')}</th>
          </tr>
        </thead>
        <tbody>
          {examples.map(({ record_id, value }) => (
            <tr key={record_id}>
              <th scope="row" className="cut" title={value}>
                {value}
              </th>
              <td>
                <a className="text-link" href={`/t/${table}/${encodeURIComponent(record_id)}`}>
                  {record_id}
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > examples.length && examples.length >= SHOWN && (
        <p className="quiet small">{say('convertFirst', { count: examples.length })}</p>
      )}
      {isEachOnce && count > examples.length && <p className="quiet small">{say('convertEach')}</p>}
      <p>{say('convertNoUndo')}</p>
    </>
  )
}
