import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useQuery } from '@tanstack/react-query'
import { beginningOf } from '../api/upload.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'

/** Bytes of a text that are shown. */
const MOST = 200_000

/** A file over the page: a picture, a PDF in the viewer of the browser, or a text as text whatever is in it. */
export function FilePreview({
  name,
  address,
  kind,
  onClose,
}: {
  readonly name: string
  readonly address: string
  readonly kind: 'picture' | 'text' | 'pdf'
  readonly onClose: () => void
}) {
  const say = useWords()
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && onClose()} isDismissable>
      <Modal className="popover preview">
        <Dialog>
          <header className="row">
            <Heading slot="title" level={2} className="cut grow" title={name}>
              {name}
            </Heading>
            {kind === 'pdf' && (
              <a
                className="button square"
                href={address}
                target="_blank"
                rel="noreferrer"
                aria-label={say('inNewTab')}
                title={say('inNewTab')}
              >
                <Icon name="expand" />
              </a>
            )}
            <a className="button square" href={address} download={name} aria-label={say('download')} title={say('download')}>
              <Icon name="download" />
            </a>
            <button type="button" className="button square" aria-label={say('close')} title={say('close')} onClick={onClose}>
              <Icon name="x" />
            </button>
          </header>
          {kind === 'picture' && <img src={address} alt={name} />}
          {kind === 'text' && <Text address={address} />}
          {/* The answer is in a sandbox. An attribute `sandbox` here would keep browsers from showing any PDF. */}
          {kind === 'pdf' && <iframe src={address} title={name} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Text({ address }: { readonly address: string }) {
  const say = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['text', address],
    queryFn: ({ signal }) => beginningOf(address, MOST, signal),
    gcTime: 0,
  })
  if (error) return <Trouble error={error} again={() => void refetch()} />
  if (!data) return <Skeleton />
  return (
    <>
      <pre tabIndex={0}>{data.text}</pre>
      {!data.isWhole && <p className="quiet">{say('onlyBeginning')}</p>}
    </>
  )
}
