import type { Field, TitleOf } from '../fields/field.ts'
import { showStill } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import type { CellState } from './states.ts'

/** Beside a cell that is not saved: why, and the two ways on. */
export function CellAnswer({
  field,
  state,
  titleOf,
  onAnswer,
}: {
  readonly field: Field
  readonly state: CellState
  readonly titleOf: TitleOf
  onAnswer(keep: boolean): void
}) {
  const say = useWords()
  const isClash = state.is === 'clash'
  return (
    <div className="bubble" role="alert">
      <span>
        {isClash ? (
          <>
            {say('changedMeanwhile')} <b>{showStill(field, state.theirs, titleOf) ?? say('empty')}</b>
          </>
        ) : (
          say('notSavedWhy', { detail: state.is === 'refused' ? state.why : '' })
        )}
      </span>
      <span className="row" data-gap="1">
        <button type="button" className="button small line" onClick={() => onAnswer(true)}>
          {say(isClash ? 'keepMine' : 'tryAgain')}
        </button>
        <button type="button" className="button small" onClick={() => onAnswer(false)}>
          {say(isClash ? 'takeTheirs' : 'putBack')}
        </button>
      </span>
    </div>
  )
}
