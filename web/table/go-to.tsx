import { useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useWords } from '../i18n/words.ts'

/** Asks for the number of a row. */
export function GoTo({ rows, onGo, onClose }: { readonly rows: number; onGo(row: number): void; onClose(): void }) {
  const say = useWords()
  const [text, setText] = useState('')
  const row = Number(text.replace(/\D/g, '').slice(0, 12))
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && onClose()} isDismissable>
      <Modal className="popover">
        <Dialog aria-label={say('goToRow')}>
          <form
            className="go-to"
            onSubmit={(event) => {
              event.preventDefault()
              if (row >= 1) onGo(Math.min(row, rows) - 1)
              onClose()
            }}
          >
            <label>
              <span className="name">{say('goToRow')}</span>
              <span className="input">
                <input
                  inputMode="numeric"
                  autoFocus
                  value={text}
                  placeholder={`1–${rows}`}
                  onChange={({ target }) => setText(target.value)}
                />
              </span>
            </label>
            <button type="submit" className="button primary">
              {say('go')}
            </button>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
