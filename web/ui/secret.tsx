import { useId, useRef, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { copyText } from './copy.ts'
import { Icon } from './icon.tsx'

/** A text that is shown once, with a button that copies it. */
export function Secret({
  name,
  text,
  lead,
  onClose,
}: {
  readonly name: string
  readonly text: string
  readonly lead: string
  readonly onClose: () => void
}) {
  const say = useWords()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)

  async function copy() {
    field.current?.select()
    setCopied(await copyText(text))
    // Where neither way is allowed, what is selected can be copied by Ctrl+C.
    field.current?.select()
  }

  return (
    <div className="secret" role="group" aria-labelledby={id}>
      <b id={id}>{name}</b>
      <p>{lead}</p>
      <div className="row">
        <input
          ref={field}
          className="input mono grow"
          aria-label={name}
          readOnly
          value={text}
          autoFocus
          onFocus={({ target }) => target.select()}
        />
        <button type="button" className="button primary" onClick={() => void copy()}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {say(isCopied ? 'secretCopied' : 'copy')}
        </button>
      </div>
      <span className="said" role="status">
        {isCopied && say('secretCopied')}
      </span>
      <button type="button" className="button line" onClick={onClose}>
        {say('secretKept')}
      </button>
    </div>
  )
}
