import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { isStopped, type BatchEntry } from '../api/batch-queue.ts'
import { ApiError } from '../api/client.ts'
import { give, giveBatch, insist, retryBatch, useOutbox } from '../api/outbox.ts'
import { fieldsOf, tables } from '../api/queries.ts'
import type { Entry } from '../api/write-queue.ts'
import { fieldOf } from '../fields/field.ts'
import { plainText } from '../fields/plain.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import './unsaved.css'

/** All changes that were not saved, wherever they were made, with the ways on. */
export function Unsaved({ onClose }: { onClose(): void }) {
  const say = useWords()
  const { writes, batches } = useOutbox()
  const stopped = [...writes, ...batches].filter(isStopped).sort((one, other) => one.at - other.at)
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && onClose()} isDismissable>
      <Modal className="popover unsaved">
        <Dialog className="dialog-body">
          <header className="row between">
            <Heading slot="title" level={2}>
              {say('unsavedTitle')}
            </Heading>
            <button type="button" className="button square" aria-label={say('close')} title={say('close')} onClick={onClose}>
              <Icon name="x" />
            </button>
          </header>
          {stopped.length === 0 && <p role="status">{say('unsavedNone')}</p>}
          <ul className="unsaved-list">
            {stopped.map((one) => (
              <One key={one.key} {...{ one, onClose }} />
            ))}
          </ul>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function One({ one, onClose }: { readonly one: Entry | BatchEntry; onClose(): void }) {
  const say = useWords()
  const trouble = useTrouble()
  const table = useQuery(tables).data?.data.find(({ id }) => id === String(one.table))
  const fields = (useQuery({ ...fieldsOf(one.table), enabled: table !== undefined }).data?.data ?? []).map(fieldOf)
  const isBatch = 'changes' in one
  const { state } = one
  const shown = (name: string, value: unknown) => {
    const field = fields.find((field) => field.name === name)
    return (field ? plainText(field, value) : String(value ?? '')) || say('empty')
  }
  const why = () => {
    if (state.is === 'clash') return `${say('changedMeanwhile')} ${Object.entries(state.theirs).map(([name, value]) => shown(name, value)).join(', ')}` // prettier-ignore
    if (state.is !== 'refused') return ''
    const { error } = state
    const places = error instanceof ApiError ? [...error.attributes.values(), ...error.places.map(({ detail }) => detail)] : []
    return places.length > 0 ? places.slice(0, 3).map(told).join(' ') : trouble(error)
  }
  return (
    <li>
      <div className="grow">
        <p>
          <b>{String(table?.attributes['table_name'] ?? one.table)}</b>{' '}
          {!isBatch && (
            <Link className="text-link" to="/t/$table/$record" params={{ table: String(one.table), record: one.record }} onClick={onClose}>
              {say('record', { id: one.record })}
            </Link>
          )}
        </p>
        <p>
          {isBatch
            ? say('unsavedMany', { changed: one.changes.length, added: one.added.length, removed: one.removed.length })
            : Object.entries(one.values)
                .map(([name, value]) => `${fields.find((field) => field.name === name)?.title ?? name}: ${shown(name, value)}`)
                .join('; ')}
        </p>
        <p className="why">{why()}</p>
      </div>
      <button type="button" className="button small line" onClick={() => (isBatch ? retryBatch : insist)(one.key)}>
        {say(state.is === 'clash' ? 'keepMine' : 'tryAgain')}
      </button>
      <button type="button" className="button small" onClick={() => (isBatch ? giveBatch : give)(one.key)}>
        {say(state.is === 'clash' ? 'takeTheirs' : 'discard')}
      </button>
    </li>
  )
}
