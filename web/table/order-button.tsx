import { useEffect, useRef, useState } from 'react'
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import { act } from '../commands/commands.ts'
import type { Field } from '../fields/field.ts'
import { directionOf, keysOf, sortedBy } from '../grid/order.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'

/** The most attributes of an order (docs/limits.md). */
const MOST = 16

/** The order of a list, whatever shows it: by which fields, one after the other. */
export function OrderButton({
  fields,
  sort,
  onSort,
}: {
  readonly fields: readonly Field[]
  readonly sort: string | undefined
  /** `isNoStep`: a step back leads past it. */
  onSort(sort: string | undefined, isNoStep: boolean): void
}) {
  const say = useWords()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const names = keysOf(sort).map((key) => key.replace(/^-/, ''))
  const titleOf = (name: string) => fields.find((one) => one.name === name)?.title ?? name
  const words = names.map(titleOf).join(', ')
  const open = () => {
    // What had the focus before gets it back.
    if (document.activeElement === document.body) opener.current?.focus()
    setOpen(true)
  }
  useEffect(() => act('order', { order: open }), [])
  /** Whether this dialog has changed the order: one step back leads to what was before it. */
  const isChanged = useRef(false)
  const change = (next: string | undefined) => {
    onSort(next, isChanged.current)
    isChanged.current = true
  }
  const choose = (at: number, name: string) => {
    if (at === names.length) return change(sortedBy(sort, name, 'ascending', true))
    change(keysOf(sort).map((key, i) => (i === at ? `${key.startsWith('-') ? '-' : ''}${name}` : key)).join()) // prettier-ignore
  }
  const free = (name?: string) => fields.filter((one) => one.name === name || !names.includes(one.name))
  const mayAdd = names.length < MOST && free().length > 0
  const rows = useRef<HTMLDivElement>(null)
  return (
    <DialogTrigger
      isOpen={isOpen}
      onOpenChange={(is) => {
        isChanged.current = false
        setOpen(is)
      }}
    >
      <Button ref={opener} className="button order" aria-label={words === '' ? say('order') : `${say('order')}: ${words}`}>
        <Icon name="sort" />
        <span className="cut only-wide">{words || say('order')}</span>
        {words !== '' && directionOf(sort, names[0]!) && (
          <Icon name={directionOf(sort, names[0]!) === 'ascending' ? 'arrow-up' : 'arrow-down'} size="s" />
        )}
      </Button>
      <Popover className="popover order-popover" placement="bottom start">
        <Dialog className="order-dialog">
          <header className="row between">
            <Heading slot="title" level={2}>
              {say('order')}
            </Heading>
            <button type="button" className="button square" aria-label={say('close')} title={say('close')} onClick={() => setOpen(false)}>
              <Icon name="x" />
            </button>
          </header>
          <div ref={rows}>
            {/* By their places: what has the focus stays while other fields are chosen in it. */}
            {[...names, ...(mayAdd ? [''] : [])].map((name, i) => (
              <div key={i} className="row" {...(name !== '' && { role: 'group', 'aria-label': titleOf(name) })}>
                <Select name={say(i === 0 ? 'orderBy' : 'orderThen')} value={name} onChoose={(next) => choose(i, next)}>
                  {name === '' && <option value="">{say(i === 0 ? 'orderBy' : 'orderThen')} …</option>}
                  {name !== '' && !fields.some((one) => one.name === name) && <option value={name}>{name}</option>}
                  {free(name).map((one) => (
                    <option key={one.name} value={one.name}>
                      {one.title}
                    </option>
                  ))}
                </Select>
                {name !== '' && (
                  <>
                    <Select
                      name={say('orderDirection')}
                      value={directionOf(sort, name) ?? 'ascending'}
                      onChoose={(next) => change(sortedBy(sort, name, next === 'descending' ? 'descending' : 'ascending', true))}
                    >
                      <option value="ascending">{say('orderUp')}</option>
                      <option value="descending">{say('orderDown')}</option>
                    </Select>
                    <button
                      type="button"
                      className="button square"
                      aria-label={say('orderWithout', { name: titleOf(name) })}
                      title={say('orderWithout', { name: titleOf(name) })}
                      onClick={() => {
                        change(sortedBy(sort, name, undefined, true))
                        rows.current?.querySelectorAll<HTMLElement>(':scope > .row')[i]?.querySelector('select')?.focus()
                      }}
                    >
                      <Icon name="x" />
                    </button>
                  </>
                )}
              </div>
            ))}
          </div>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
