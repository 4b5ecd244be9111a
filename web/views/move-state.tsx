import type { Field, TitleOf } from '../fields/field.ts'
import { CellAnswer } from '../grid/cell-answer.tsx'
import { Waits } from '../ui/waits.tsx'
import type { Moves } from './use-moves.ts'

/** What became of values of a record that were written: that they wait, or why they were not saved, with the two ways on. */
export function MoveState({
  record,
  fields,
  field,
  titleOf,
  moves,
}: {
  readonly record: string
  readonly fields: readonly Field[]
  /** By which the records are placed. Others are named. */
  readonly field: Field
  readonly titleOf: TitleOf
  readonly moves: Moves
}) {
  const cells = [...(moves.states.of(record) ?? [])]
  return (
    <>
      {cells.some(([, { is }]) => is === 'waiting') && (
        <span className="tag" role="status">
          <Waits />
        </span>
      )}
      {cells.map(([name, state]) => {
        const its = fields.find((one) => one.name === name)
        if (!its || (state.is !== 'refused' && state.is !== 'clash')) return null
        return (
          <div key={name} className="unsaved-value">
            {its !== field && <b>{its.title}</b>}
            <CellAnswer {...{ state, titleOf }} field={its} onAnswer={(isKept) => moves.answer(record, name, isKept)} />
          </div>
        )
      })}
    </>
  )
}
