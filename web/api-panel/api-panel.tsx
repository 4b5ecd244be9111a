import { useState } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useWords } from '../i18n/words.ts'
import { copyText } from '../ui/copy.ts'
import { Choice } from '../ui/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Asked } from './asked.ts'
import { languages, partsOf, snippetOf, TOKEN, type Language } from './snippets.ts'
import './api-panel.css'

/** Records of the list that is asked for: the most that the interface gives by offset. */
const PAGE = '50'
/** What was chosen last, until the page is left. */
let chosen: Language = 'curl'

/** The request behind the page in several languages, ready to be copied. */
export function ApiPanel({ table, fields, record, filter, sort, onClose }: Asked & { readonly onClose: () => void }) {
  const say = useWords()
  const [language, setLanguage] = useState(chosen)
  const [said, setSaid] = useState('')
  const path = record === undefined ? '' : `/${encodeURIComponent(record)}`
  const program = snippetOf(language, {
    address: `${location.origin}/api/dev/data${table}${path}`,
    parameters:
      record === undefined
        ? Object.entries({ filter, sort, 'page[limit]': PAGE }).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value] as const],
          )
        : [],
    fields,
    isList: record === undefined,
  })
  const copy = () => void copyText(program).then((isCopied) => setSaid(say(isCopied ? 'apiCopied' : 'apiNotCopied')))
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && onClose()} isDismissable>
      <Modal className="popover api-panel">
        <Dialog className="api">
          <header className="row between">
            <Heading slot="title" level={2}>
              {say('apiTitle')}
            </Heading>
            <button type="button" className="button square" aria-label={say('close')} title={say('close')} onClick={onClose}>
              <Icon name="x" />
            </button>
          </header>
          <p>{say(record === undefined ? 'apiList' : 'apiRecord')}</p>
          <Choice
            name={say('apiLanguage')}
            value={language}
            options={languages.map((one) => [one, one])}
            onChoose={(one) => {
              chosen = one
              setSaid('')
              setLanguage(one)
            }}
          />
          <pre className="code" tabIndex={0} role="region" aria-label={say('apiProgram', { language })} dir="ltr">
            <code>
              {partsOf(program).map(([text, is], i) => (
                <span key={i} className={is}>
                  {text}
                </span>
              ))}
            </code>
          </pre>
          <div className="row api-foot">
            <button type="button" className="button primary" onClick={copy}>
              <Icon name="copy" />
              <span>{say('apiCopy')}</span>
            </button>
            <span role="status">{said}</span>
            <a className="text-link push" href="/docs">
              {say('apiReference')}
            </a>
          </div>
          <p className="quiet">{say('apiToken', { name: TOKEN })}</p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
