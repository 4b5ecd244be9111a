import { useRef, useState, type ReactNode } from 'react'
import { Autocomplete, Dialog, Input, ListBox, ListBoxItem, Popover, SearchField, useFilter } from 'react-aria-components'
import { useWords } from '../../i18n/words.ts'
import { Icon } from '../../ui/icon.tsx'

export interface Choice {
  readonly id: string
  readonly text: string
  readonly shown?: ReactNode
  /** A second line. */
  readonly more?: string
}

/** Chooses one or several of a list by typing a part of their names. */
export function Picker({
  label,
  choices,
  chosen,
  initial = '',
  isMultiple = false,
  isWaiting = false,
  onSearch,
  onCommit,
  onCancel,
}: {
  readonly label: string
  readonly choices: readonly Choice[]
  readonly chosen: readonly Choice[]
  readonly initial?: string | undefined
  readonly isMultiple?: boolean
  /** Further choices are on their way. */
  readonly isWaiting?: boolean
  /** The service looks for them; without it, those given are looked through. */
  readonly onSearch?: (text: string) => void
  onCommit(ids: readonly string[]): void
  onCancel(): void
}) {
  const say = useWords()
  const { contains } = useFilter({ sensitivity: 'base' })
  const anchor = useRef<HTMLSpanElement>(null)
  const isCancelled = useRef(false)
  const [ids, setIds] = useState(chosen.map(({ id }) => id))
  const [text, setText] = useState(initial)
  // What is chosen stands first, also where the service has not found it.
  const others = choices.filter(({ id }) => !chosen.some((one) => one.id === id))
  const items = [...chosen.filter((one) => text === '' || !onSearch || contains(one.text, text)), ...others]
  const close = () => {
    const isChanged = ids.join() !== chosen.map(({ id }) => id).join()
    if (isCancelled.current || !isChanged) onCancel()
    else onCommit(ids)
  }
  return (
    <span className="editor">
      <span className="input on" ref={anchor}>
        <span className="cut">{[...chosen, ...others].flatMap(({ id, text: one }) => (ids.includes(id) ? [one] : [])).join(', ')}</span>
      </span>
      <Popover className="popover picker" triggerRef={anchor} isOpen placement="bottom start" onOpenChange={(isOpen) => isOpen || close()}>
        <Dialog className="palette" aria-label={label}>
          <div onKeyDownCapture={({ key }) => void (isCancelled.current = key === 'Escape')}>
            <Autocomplete
              {...(!onSearch && { filter: contains })}
              inputValue={text}
              onInputChange={(next) => {
                setText(next)
                onSearch?.(next)
              }}
            >
              <SearchField className="palette-find" aria-label={label} autoFocus>
                <Icon name="search" />
                <Input placeholder={say('findChoice')} />
              </SearchField>
              <ListBox
                className="palette-items"
                aria-label={label}
                items={items}
                selectionMode={isMultiple ? 'multiple' : 'single'}
                selectedKeys={ids}
                // Escape leaves all as it was: it does not choose nothing.
                escapeKeyBehavior="none"
                onSelectionChange={(keys) => {
                  const next = [...(keys as Set<string>)].map(String)
                  setIds(next)
                  if (!isMultiple) onCommit(next)
                }}
                renderEmptyState={() => <div className="nothing">{say(isWaiting ? 'loading' : 'nothingFound')}</div>}
              >
                {(item) => (
                  <ListBoxItem className="menu-item" id={item.id} textValue={item.text}>
                    {({ isSelected }) => (
                      <>
                        <span className={isSelected ? 'picked' : 'picked not'}>
                          <Icon name="check" />
                        </span>
                        {item.shown ?? <span className="cut">{item.text}</span>}
                        {item.more !== undefined && <span className="end cut quiet">{item.more}</span>}
                      </>
                    )}
                  </ListBoxItem>
                )}
              </ListBox>
            </Autocomplete>
            {isMultiple && (
              <div className="picker-foot">
                <button type="button" className="button primary small" onClick={close}>
                  {say('done')}
                </button>
              </div>
            )}
          </div>
        </Dialog>
      </Popover>
    </span>
  )
}
