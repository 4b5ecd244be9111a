import { useEffect, useId, useMemo, useState, type ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { endJob } from '../api/jobs.ts'
import { makeUnique, type Column, type Preview } from '../api/imports.ts'
import { preferences } from '../api/preferences.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import { TableOptions } from '../ui/table-options.tsx'
import { toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { useSending } from './bring.tsx'
import { ColumnType } from './column-type.tsx'
import { useLikelyLink } from './likely-link.ts'
import { delimiters, encodings, hasApostrophes, patternIn } from './mapping.ts'
import { fileOf } from './offered.ts'
import { useTargets } from './targets.ts'
import type { Drafted } from './use-draft.ts'

interface Props {
  readonly id: string
  readonly preview: Preview
  readonly table: number
  readonly name: string | undefined
  readonly draft: Drafted
}

/** How the file was read, its first lines, and a type for each column. */
export function FileStep({ id, preview, table, name, draft }: Props) {
  const say = useWords()
  const { rows, columns } = preview
  const title = useId()
  const headers = useMemo(() => columns.map(({ header }) => header), [columns])
  return (
    <>
      <section className="box reading" aria-label={say('stepFile')}>
        <Target id={id} table={table} name={name} draft={draft} />
        {preview.format === 'csv' ? (
          <>
            <Named name={say('importLetters')}>
              {(field) => (
                <Select id={field} value={preview.encoding} onChoose={(encoding) => void draft.put({ encoding, columns: [] })}>
                  {[...new Set([preview.encoding, ...encodings])].map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </Select>
              )}
            </Named>
            <Named name={say('importDelimiter')}>
              {(field) => (
                <Select id={field} value={preview.delimiter} onChoose={(delimiter) => void draft.put({ delimiter, columns: [] })}>
                  {Object.entries(delimiters).map(([sign, word]) => (
                    <option key={sign} value={sign}>
                      {say(word)}
                    </option>
                  ))}
                  {!(preview.delimiter in delimiters) && <option>{preview.delimiter}</option>}
                </Select>
              )}
            </Named>
          </>
        ) : (
          <SheetChoice sheets={preview.sheets} onChoose={(sheet) => void draft.put({ sheet, columns: [] })} />
        )}
      </section>
      {preview.format === 'csv' && <Apostrophes isThere={hasApostrophes(rows)} draft={draft} />}
      <div className="section-line">
        <h2 id={title}>{rows.length === 0 ? say('importEmptyFile') : say('importFirst', { count: rows.length })}</h2>
        <span className="quiet">{say('importFirstLead')}</span>
      </div>
      <div className="box preview" tabIndex={0} role="region" aria-labelledby={title} aria-busy={draft.isWaiting}>
        <table>
          <thead>
            <tr>
              <th className="no">
                <span className="said">{say('importLine')}</span>
              </th>
              {columns.map((column, i) => (
                <th key={column.header} scope="col">
                  <b className="cut" title={column.header}>
                    {column.header}
                  </b>
                  <ColumnType column={column} at={i} makes={table === 0} draft={draft} />
                  <LikelyLink {...{ column, headers, draft }} values={rows.map(({ values }) => values[i] ?? '')} at={i} into={table}>
                    <small className={column.ambiguous === true ? 'fit warn' : 'fit'}>{noticed(say, column)}</small>
                  </LikelyLink>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, values }) => (
              <tr key={line}>
                <th scope="row" className="no">
                  {line}
                </th>
                {columns.map((column, i) => (
                  <td key={column.header} className={column.skip === true ? 'out cut' : 'cut'}>
                    {values[i]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Of an export for spreadsheets they are taken away, and put back; what was chosen for the columns stays. */
function Apostrophes({ isThere, draft }: { readonly isThere: boolean; readonly draft: Drafted }) {
  const say = useWords()
  const isOff = draft.isDefused
  if (!isThere && !isOff) return null
  return (
    <div className={isOff ? 'note' : 'note warn'} role="status">
      <Icon name={isOff ? 'tick' : 'warn'} />
      <span className="grow">{say(isOff ? 'importApostrophesGone' : 'importApostrophes')}</span>
      <button
        type="button"
        className="button line small"
        aria-disabled={draft.isWaiting}
        onClick={() => !draft.isWaiting && void draft.put({ defused: !isOff })}
      >
        {say(isOff ? 'importApostrophesBack' : 'importApostrophesOff')}
      </button>
    </div>
  )
}

/** A column that names records of another table becomes a link by one click; its field there is made one without equals. */
function LikelyLink({
  column,
  headers,
  values,
  at,
  into,
  draft,
  children,
}: {
  readonly column: Column
  readonly headers: readonly string[]
  /** Of the lines that are shown. */
  readonly values: readonly string[]
  readonly at: number
  readonly into: number
  readonly draft: Drafted
  readonly children: ReactNode
}) {
  const say = useWords()
  const trouble = useTrouble()
  const likely = useLikelyLink(column, { values, headers, into })
  if (!likely) return children
  const { field, isUnique, table, reference } = likely
  const name = column.create?.name ?? column.header
  const link = async () => {
    try {
      if (!isUnique) await makeUnique(field)
      draft.putColumn(at, { create: { name, unique: false }, reference }, { create: { name, unique: false, type: 'reference' }, reference })
    } catch (error) {
      toastRefusal(trouble(error))
    }
  }
  return (
    <button type="button" className="button line small likely" onClick={() => void link()}>
      <Icon name="link" />
      <span>{say('importLinkTo', { table })}</span>
    </button>
  )
}

/** What was noticed about the values of a column. */
export function noticed(say: ReturnType<typeof useWords>, column: Preview['columns'][number]): string {
  if (column.ambiguous === true) return say('importAmbiguous')
  if (column.date_format !== undefined) return say('importDates', { pattern: patternIn(column.date_format, preferences().language) })
  if (column.decimal !== undefined) return say('importDecimal', { sign: column.decimal })
  if (column.yes_and_no === true) return say('importYesNo')
  return column.guessed === true ? say('importGuessed') : ''
}

/** The table that it goes into, or the name of the one that is made. */
function Target({ id, table, name, draft }: Omit<Props, 'preview'>) {
  const say = useWords()
  const navigate = useNavigate()
  const { mayMake, into } = useTargets()
  const { send } = useSending()
  const [text, setText] = useState(name ?? '')
  const [isAsking, setAsking] = useState(false)
  useEffect(() => setText(name ?? ''), [name])
  const choose = (chosen: string) => {
    const file = fileOf(id)
    const next = chosen === '' ? undefined : Number(chosen)
    if (!file) return setAsking(true)
    void endJob(id).catch(() => undefined)
    send(file, next)
  }
  const rename = () => {
    const next = text.trim()
    if (next === '' || next === name) return setText(name ?? '')
    void draft
      .put({ table_name: next })
      .then(() => navigate({ to: '/import', search: (before) => ({ ...before, name: next }), replace: true }))
  }
  return (
    <>
      <Named name={say('importWhere')}>
        {(field) => (
          <Select id={field} value={table === 0 ? '' : String(table)} onChoose={choose}>
            {mayMake && <option value="">{say('importNewTable')}</option>}
            <TableOptions tables={into} />
          </Select>
        )}
      </Named>
      {table === 0 && (
        <Named name={say('importTableName')}>
          {(field) => (
            <input
              className="input"
              id={field}
              value={text}
              placeholder={name === undefined ? say('importNameKept') : undefined}
              maxLength={255}
              onChange={({ target }) => setText(target.value)}
              onBlur={rename}
              onKeyDown={({ key }) => key === 'Enter' && rename()}
            />
          )}
        </Named>
      )}
      {isAsking && (
        <p className="note warn" role="status">
          {say('importAskAgain')}
        </p>
      )}
    </>
  )
}

function SheetChoice({ sheets, onChoose }: { readonly sheets: readonly string[]; readonly onChoose: (sheet: string) => void }) {
  const say = useWords()
  const [chosen, setChosen] = useState('')
  if (sheets.length < 2) return null
  const choose = (sheet: string) => {
    setChosen(sheet)
    onChoose(sheet)
  }
  return (
    <Named name={say('importSheet')}>
      {(field) => (
        <Select id={field} value={chosen} onChoose={choose}>
          {chosen === '' && <option value="">{say('importAsGuessed')}</option>}
          {sheets.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
      )}
    </Named>
  )
}

function Named({ name, children }: { readonly name: string; readonly children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="field">
      <label className="name" htmlFor={id}>
        {name}
      </label>
      {children(id)}
    </div>
  )
}
