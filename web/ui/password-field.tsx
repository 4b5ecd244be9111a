import { useId, useState, type Ref } from 'react'
import { useWords } from '../i18n/words.ts'
import { Icon } from './icon.tsx'

export function PasswordField({
  name,
  value,
  kind,
  input,
  onChange,
}: {
  readonly name: string
  readonly value: string
  /** For managers of passwords. */
  readonly kind: 'current-password' | 'new-password'
  readonly input?: Ref<HTMLInputElement>
  readonly onChange: (value: string) => void
}) {
  const say = useWords()
  const id = useId()
  const [isShown, setShown] = useState(false)
  const word = say(isShown ? 'hidePassword' : 'showPassword')
  return (
    <div>
      <label className="name" htmlFor={id}>
        {name}
      </label>
      <span className="with-end">
        <input
          className="input tall"
          id={id}
          ref={input}
          type={isShown ? 'text' : 'password'}
          autoComplete={kind}
          spellCheck={false}
          required
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
        <button
          type="button"
          className="button square small"
          aria-pressed={isShown}
          aria-label={word}
          title={word}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'eye-off' : 'eye'} />
        </button>
      </span>
    </div>
  )
}
