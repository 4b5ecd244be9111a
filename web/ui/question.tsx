import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

/** A question before what cannot be undone; it names what would be lost. */
export function Question({
  title,
  lost,
  counts,
  yes,
  no,
  onYes,
  onClose,
}: {
  readonly title: string
  readonly lost: string
  /** How much that is, where it is known. */
  readonly counts?: string
  readonly yes: string
  readonly no: string
  readonly onYes: () => void
  readonly onClose: () => void
}) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && onClose()} isDismissable>
      <Modal className="popover">
        <Dialog className="question" role="alertdialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <p>{lost}</p>
          {counts !== undefined && counts !== '' && <p className="quiet counted">{counts}</p>}
          <div className="row">
            <button type="button" className="button line" autoFocus onClick={onClose}>
              {no}
            </button>
            <button type="button" className="button bad" onClick={onYes}>
              {yes}
            </button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
