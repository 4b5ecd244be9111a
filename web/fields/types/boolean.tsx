import type { EditorProps, FieldType } from '../field-type.ts'
import { say } from '../../i18n/words.ts'
import { Icon } from '../../ui/icon.tsx'

const YES = /^(1|yes|y|true|да|д|истина|\+|x|✓)$/i
const NO = /^(0|no|n|false|нет|н|ложь|-|)$/i

export const boolean: FieldType = {
  icon: 'tick',
  show: (text) => (text === '1' ? <><Icon name="check" /><span className="said">{say('yes')}</span></> : <span className="said">{say('no')}</span>), // prettier-ignore
  toText: (text) => say(text === '1' ? 'yes' : 'no'),
  read(text) {
    const written = text.trim()
    return YES.test(written) ? { value: '1' } : NO.test(written) ? { value: '0' } : { error: say('notYesOrNo') }
  },
  Editor: Tick,
}

function Tick({ value, label, onCommit, onCancel }: EditorProps) {
  return (
    <span className="editor">
      <input
        className="tick"
        type="checkbox"
        aria-label={label}
        autoFocus
        defaultChecked={value === '1'}
        onChange={({ target }) => onCommit(target.checked ? '1' : '0', 'down')}
        onKeyDown={({ key }) => key === 'Escape' && onCancel()}
      />
    </span>
  )
}
