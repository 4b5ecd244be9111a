import type { ChangeEffects } from '../../store/structure/foretell-change.ts'
import { object } from '../answers/described.ts'
import { showWriting } from './writing.ts'

/* What a change of a field would do (`dryRun=true`). */

const [integer, text] = [{ type: 'integer' }, { type: 'string' }] as const
const examples = { type: 'array', items: object({ record_id: text, value: text, becomes: text }) }

export const changeSchema = {
  converted: integer,
  lost: integer,
  examples_lost: examples,
  examples,
  written: { type: 'object' },
  removed_options: { type: 'array', items: object({ id: integer, label: text, records: integer }) },
}

export const showChange = ({ converted, lost, examplesLost, examples: converting, writing, options }: ChangeEffects) => ({
  converted,
  lost,
  examples_lost: examplesLost.map(showExample),
  examples: converting.map(showExample),
  written: showWriting(writing),
  removed_options: options,
})

const showExample = ({ recordId, value, becomes }: ChangeEffects['examples'][number]) => ({ record_id: String(recordId), value, becomes })
