import { useEffect, useRef, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { ApiButton } from '../api-panel/api-button.tsx'
import { MoreMenu } from '../commands/more-menu.tsx'
import { useWords } from '../i18n/words.ts'
import { Edge } from '../ui/edge.tsx'
import { Icon } from '../ui/icon.tsx'
import { useOpenRecord } from '../ui/record-link.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toastRefusal } from '../ui/toast.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import { useWalk } from '../ui/walk.ts'
import { Beside } from './beside.tsx'
import { Gone } from './gone.tsx'
import { History } from './history.tsx'
import { RecordFields } from './record-fields.tsx'
import { Related } from './related.tsx'
import { useRecordActs } from './use-record-acts.ts'
import { useRecord } from './use-record.ts'
import './record.css'

/** A record beside the list in which it stands; on a phone over it. Escape closes it, J and K lead to those beside it in the list. */
export function RecordPanel({ table: id, record }: { readonly table: string; readonly record: string }) {
  const say = useWords()
  const trouble = useTrouble()
  const open = useOpenRecord()
  const aside = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // Whether keys that the list has too are for the record: it is where the person has been last.
  const [isHere, setHere] = useState(true)
  const walk = useWalk(
    Number(id),
    record,
    (next) => open(next, true),
    (error) => toastRefusal(trouble(error)),
  )
  const read = useRecord(id, record, walk.known)
  const { found, failed, fields, mayUpdate } = read
  const { copyLink } = useRecordActs(read, {
    rank: isHere ? 1 : -1,
    more: { nextRecord: walk.next, previousRecord: walk.previous },
    onRemoved: () => close(true),
  })
  const close = (replace = false) => {
    open(undefined, replace)
    backTo(record)
  }

  useEffect(() => {
    if (!aside.current?.contains(document.activeElement)) heading.current?.focus()
  }, [record])
  useEffect(() => {
    const look = ({ target }: Event) => {
      if (!(target instanceof Node)) return
      if (aside.current?.contains(target)) setHere(true)
      else if (aside.current?.parentElement?.contains(target)) setHere(false)
    }
    for (const event of ['focusin', 'pointerdown']) document.addEventListener(event, look)
    return () => {
      for (const event of ['focusin', 'pointerdown']) document.removeEventListener(event, look)
    }
  }, [])

  return (
    <aside
      ref={aside}
      className="record-panel record"
      aria-labelledby="record-title"
      tabIndex={-1}
      onKeyDown={({ key, target, currentTarget, defaultPrevented }) => {
        if (key !== 'Escape' || defaultPrevented || !(target instanceof HTMLElement)) return
        // Editors and what opens over the page have their own.
        if (currentTarget.contains(target) && !target.closest('.field.edit')) close()
      }}
    >
      <Edge of={aside} at="start" property="--panel" storage="panel width" label={say('panelWidth')} least={400} most={1000} usual={560} />
      <header className="panel-bar row">
        <button type="button" className="button square only-phone" aria-label={say('backToTable')} onClick={() => close()}>
          <Icon name="chevron-left" />
        </button>
        <Beside {...{ walk }} />
        <span className="grow" />
        <Link
          className="button square only-wide"
          to="/t/$table/$record"
          params={{ table: id, record }}
          aria-label={say('openAsPage')}
          title={say('openAsPage')}
        >
          <Icon name="expand" />
        </Link>
        <button type="button" className="button square" title={say('copyLink')} aria-label={say('copyLink')} onClick={copyLink}>
          <Icon name="link" />
        </button>
        <ApiButton table={id} {...{ record, fields }} values={read.attributes} mayWrite={mayUpdate} />
        <MoreMenu title={say('moreActions')} names={['undo', 'duplicate', 'print', 'toTrash']} />
        <button type="button" className="button square only-wide" title={say('close')} aria-label={say('close')} onClick={() => close()}>
          <Icon name="x" />
        </button>
      </header>
      <div className="panel-body" key={record}>
        <h2 id="record-title" className="lead" ref={heading} tabIndex={-1}>
          {read.isGone && !found ? say('notFoundTitle') : read.heading}
        </h2>
        {read.isGone && found && <Gone of={read} />}
        {read.isGone && !found ? (
          <p className="quiet">{say('notFound')}</p>
        ) : (
          <>
            {failed && !read.isGone && <Trouble error={failed} again={read.again} />}
            {!failed && !found && <Skeleton />}
            {found && (
              <Tabs>
                <TabList className="tabs part-tabs" aria-label={say('partsOfRecord')}>
                  <Tab id="fields" className="tab">
                    {say('partFields')}
                  </Tab>
                  <Tab id="history" className="tab">
                    {say('history')}
                  </Tab>
                </TabList>
                <TabPanel id="fields">
                  <RecordFields of={read} />
                  <Related table={read.number} id={record} isGone={read.isGone} />
                </TabPanel>
                <TabPanel id="history">
                  <History {...{ fields }} known={found} table={read.number} id={record} mayRestore={mayUpdate} />
                </TabPanel>
              </Tabs>
            )}
          </>
        )}
      </div>
    </aside>
  )
}

/** The focus goes back to the cell, or to the card of the record. */
function backTo(record: string): void {
  requestAnimationFrame(() => {
    const cell = document.querySelector<HTMLElement>('.grid-rows .cell[tabindex="0"]')
    const card = document.querySelector<HTMLElement>(`.table-list [data-record="${record}"]`)
    ;(cell ?? card)?.focus()
  })
}
