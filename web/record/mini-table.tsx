import { Link } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { titled } from '../fields/ids.ts'
import { plainText } from '../fields/plain.ts'
import { showStill, showValue, typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** What a small table shows of records: what names them, and two more fields. `except`: that which all of them have alike. */
export const miniColumns = (fields: readonly Field[], title: Field | undefined, except?: Field): readonly Field[] => [
  ...(title ? [title] : []),
  ...fields.filter((one) => one !== title && one.id !== except?.id && !typeOf(one).isWide).slice(0, 2),
]

export interface MiniLine {
  readonly id: string
  /** Undefined: it has not come, or the person may not see it. */
  readonly record: Resource | undefined
  /** The person may not see it: nothing leads to it. */
  readonly isUnseen?: boolean
  /** What takes it out of the table. */
  readonly unlink?: (() => void) | undefined
}

/** Records of one table, each with a way to its page, and a button that takes it out where somebody may. */
export function MiniTable({
  table,
  shown,
  lines,
  titleOf,
  mayUnlink,
}: {
  readonly table: string
  readonly shown: readonly Field[]
  readonly lines: readonly MiniLine[]
  readonly titleOf: TitleOf
  /** Whether there is a column for the buttons. */
  readonly mayUnlink: boolean
}) {
  const say = useWords()
  const [title, ...others] = shown
  const nameOf = ({ id, record }: MiniLine): string =>
    (record && title && plainText(title, record.attributes[title.name])) ||
    (record ? say('record', { id }) : titled(titleOf(Number(table), id), id))
  return (
    <table className="mini">
      <thead>
        <tr>
          {shown.map((one) => (
            <th key={one.id} scope="col" className={`cut${typeOf(one).isNumber ? ' end' : ''}`} title={one.title}>
              {one.title}
            </th>
          ))}
          {mayUnlink && (
            <th scope="col" className="out">
              <span className="said">{say('trashActions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td className={title && typeOf(title).isNumber ? 'end' : undefined}>
              {line.isUnseen ? (
                <span className="quiet unread">{nameOf(line)}</span>
              ) : (
                <Link className="ref" to="/t/$table/$record" params={{ table, record: line.id }}>
                  {(title && line.record && showStill(title, line.record.attributes[title.name], titleOf)) ?? nameOf(line)}
                </Link>
              )}
            </td>
            {others.map((one) => (
              <td key={one.id} className={typeOf(one).isNumber ? 'end' : undefined}>
                {line.record && showValue(one, line.record.attributes[one.name], titleOf, true)}
              </td>
            ))}
            {mayUnlink && (
              <td className="out">
                {line.unlink && (
                  <button
                    type="button"
                    className="button square small"
                    aria-label={say('unlinkNamed', { name: nameOf(line) })}
                    title={say('unlink')}
                    onClick={line.unlink}
                  >
                    <Icon name="x" />
                  </button>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
