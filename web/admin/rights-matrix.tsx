import { useMemo, useState, type KeyboardEvent } from 'react'
import type { Resource } from '../api/client.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { ActionsMenu } from './actions-menu.tsx'
import { LevelMark, levelWords } from './level.tsx'
import type { Preset } from './rights.ts'
import { useViewAs } from './view-as.tsx'

/** Tables with their category, in the order of the administrator. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly tables: readonly Resource[]
}

const PRESETS = ['all', 'work', 'read', 'none'] as const satisfies readonly Preset[]

const steps: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

/** Tables by groups. One cell takes part in the order of Tab; the arrows lead to the others. */
export function Matrix({
  groups,
  sections,
  rules,
  open,
  onOpen,
  onPreset,
}: {
  readonly groups: readonly Resource[]
  readonly sections: readonly Section[]
  readonly rules: readonly Resource[]
  /** A group and a table, as `4:7`. */
  readonly open: string | undefined
  readonly onOpen: (group: number, table: number) => void
  /** For several tables at once; `where` in words. */
  readonly onPreset: (group: Resource, tables: readonly Resource[], where: string, preset: Preset) => void
}) {
  const say = useWords()
  const viewAs = useViewAs()
  const [at, setAt] = useState<string>()
  const byCell = useMemo(
    () => new Map(rules.map((rule) => [`${rule.attributes['group_id']}:${rule.attributes['table_id']}`, rule])),
    [rules],
  )
  const rows = sections.flatMap((section) => section.tables)
  const cells = rows.map((table) => groups.map((group) => `${group.id}:${table.id}`))
  const entry = [at, open].find((one) => one !== undefined && cells.some((row) => row.includes(one))) ?? cells[0]?.[0]

  function move(event: KeyboardEvent<HTMLTableElement>) {
    const step = steps[event.key]
    const now = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset['cell']
    if (!step || now === undefined) return
    const row = cells.findIndex((some) => some.includes(now))
    const next = cells[row + step[0]]?.[cells[row]!.indexOf(now) + step[1]]
    event.preventDefault()
    if (next !== undefined) event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus()
  }

  const presets = (group: Resource, tables: readonly Resource[], where: string) => (
    <ActionsMenu
      title={say('rightsIn', { group: String(group.attributes['group_name']), table: where })}
      actions={PRESETS.map((preset) => ({
        title: say(levelWords[preset]),
        icon: 'shield',
        run: () => onPreset(group, tables, where, preset),
      }))}
    />
  )

  return (
    <table className="matrix" onKeyDown={move}>
      <thead>
        <tr>
          <th scope="col">
            <span className="said">{say('rightsTable')}</span>
          </th>
          {groups.map((group) => {
            const { id, attributes } = group
            return (
              <th key={id} scope="col" title={String(attributes['group_name'])}>
                <span className="row">
                  <b className="cut grow">{String(attributes['group_name'])}</b>
                  {presets(group, rows, say('rightsAllTables'))}
                  <button
                    type="button"
                    className="button square small"
                    aria-label={say('viewAsName', { name: String(attributes['group_name']) })}
                    title={say('viewAsName', { name: String(attributes['group_name']) })}
                    onClick={() => viewAs({ group_id: Number(id) })}
                  >
                    <Icon name="eye" />
                  </button>
                </span>
              </th>
            )
          })}
        </tr>
      </thead>
      {sections.map((section) => (
        <tbody key={section.id}>
          <tr className="matrix-part">
            <th scope="rowgroup">
              <span className="clamp" title={section.title}>
                {section.title}
              </span>
            </th>
            {groups.map((group) => (
              <td key={group.id}>{sections.length > 1 && presets(group, section.tables, section.title)}</td>
            ))}
          </tr>
          {section.tables.map((table) => (
            <tr key={table.id}>
              <th scope="row" title={String(table.attributes['table_name'])}>
                <span className="cut">{String(table.attributes['table_name'])}</span>
              </th>
              {groups.map((group) => {
                const cell = `${group.id}:${table.id}`
                return (
                  <td key={group.id}>
                    <button
                      type="button"
                      className={`level${cell === open ? ' at' : ''}`}
                      data-cell={cell}
                      tabIndex={cell === entry ? 0 : -1}
                      aria-expanded={cell === open}
                      onFocus={() => setAt(cell)}
                      onClick={() => onOpen(Number(group.id), Number(table.id))}
                    >
                      <span className="said">
                        {say('rightsIn', { group: String(group.attributes['group_name']), table: String(table.attributes['table_name']) })}
                        :{' '}
                      </span>
                      <LevelMark rule={byCell.get(cell)} />
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}
