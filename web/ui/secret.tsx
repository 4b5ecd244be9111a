import { useId, useRef, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { copyText } from './copy.ts'
import { Icon } from './icon.tsx'
import { OPENED, useQuestion } from './leaving.ts'

/** A text that is shown once, with a button that copies it. Who leaves while it was neither copied nor said to be kept is asked. */
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
  // What closes it may leave the page at once.
  const isKept = useRef(false)
  useQuestion(() => !isKept.current, { isShown: !isCopied, question: 'leaveSecret', staysWith: OPENED })

  async function copy() {
    field.current?.select()
    if (await copyText(text)) setCopied(true)
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
          // A click has put the caret somewhere: half a secret is of no use.
          onCopy={(event) => {
            event.clipboardData.setData('text/plain', text)
            event.preventDefault()
            setCopied(true)
          }}
        />
        <button type="button" className="button primary" onClick={() => void copy()}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {say(isCopied ? 'secretCopied' : 'copy')}
        </button>
      </div>
      <span className="said" role="status">
        {isCopied && say('secretCopied')}
      </span>
      <button
        type="button"
        className="button line"
        onClick={() => {
          isKept.current = true
          onClose()
        }}
      >
        {say('secretKept')}
      </button>
    </div>
  )
}
