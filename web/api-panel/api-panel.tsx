import { useState } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { run, useCommands } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { copyText } from '../ui/copy.ts'
import { Choice } from '../ui/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Asked } from './asked.ts'
import { languages, TOKEN, type Call, type Language } from './call.ts'
import { changes, creates } from './examples.ts'
import { partsOf, snippetOf } from './snippets.ts'
import './api-panel.css'

/** Records of the list that is asked for: the most that the interface gives by offset. */
const PAGE = '50'
/** What was chosen last, until the page is left. */
let chosen: Language = 'curl'

/** What a page shows is read, or a record is made or changed. */
function callOf(asked: Asked, isWriting: boolean): Call {
  const { table, shown, record, filter, sort, values = {} } = asked
  const fields = asked.fields.filter(({ isSystem }) => !isSystem)
  const address = `${location.origin}/api/dev/data${table}${record === undefined ? '' : `/${encodeURIComponent(record)}`}`
  if (isWriting) {
    const sends = record === undefined ? creates(table, fields) : changes(table, record, fields, values)
    return { address, parameters: [], fields, isList: false, sends }
  }
  if (record !== undefined) return { address, parameters: [], fields, isList: false }
  const isAll = shown?.length === fields.length && fields.every(({ name }) => shown.includes(name))
  const some = shown && !isAll ? shown.flatMap((name) => asked.fields.filter((one) => one.name === name)) : undefined
  const names = some?.map(({ name }) => name).join()
  const given = Object.entries({ filter, sort, [`fields[data${table}]`]: names, 'page[limit]': PAGE })
  return {
    address,
    parameters: given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    fields: some ?? fields,
    isList: true,
  }
}

/** The request behind the page, or one that writes, in several languages, ready to be copied. */
export function ApiPanel({ onClose, ...asked }: Asked & { readonly onClose: () => void }) {
  const say = useWords()
  const [language, setLanguage] = useState(chosen)
  const [isWriting, setWriting] = useState(false)
  const [said, setSaid] = useState('')
  const tokens = useCommands().some(([name]) => name === 'adminTokens') ? 'adminTokens' : 'profile'
  const isList = asked.record === undefined
  const program = snippetOf(language, callOf(asked, isWriting))
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
          <p>{say(isWriting ? (isList ? 'apiCreate' : 'apiChange') : isList ? 'apiList' : 'apiRecord')}</p>
          {isList && (
            <p className="quiet">{isWriting ? say('apiOnce', { name: 'Idempotency-Key' }) : say('apiNext', { name: 'links.next' })}</p>
          )}
          {asked.mayWrite && (
            <Choice
              name={say('apiAct')}
              value={isWriting ? 'write' : 'read'}
              options={[
                ['read', say('apiReads')],
                ['write', say(isList ? 'apiCreates' : 'apiChanges')],
              ]}
              onChoose={(one) => {
                setSaid('')
                setWriting(one === 'write')
              }}
            />
          )}
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
          <p className="quiet">
            {say('apiToken', { name: TOKEN })}{' '}
            <button type="button" className="text-link" onClick={() => run(tokens)}>
              {say('tokensTitle')}
            </button>
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
