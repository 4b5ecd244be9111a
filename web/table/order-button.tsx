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
  onSort(sort: string | undefined): void
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
  const replace = (at: number, name: string) => onSort(keysOf(sort).map((key, i) => (i === at ? name : key)).join()) // prettier-ignore
  const free = (name?: string) => fields.filter((one) => one.name === name || !names.includes(one.name))
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
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
          {names.map((name, i) => (
            <div key={name} className="row" role="group" aria-label={titleOf(name)}>
              <Select name={say(i === 0 ? 'orderBy' : 'orderThen')} value={name} onChoose={(next) => replace(i, next)}>
                {!fields.some((one) => one.name === name) && <option value={name}>{name}</option>}
                {free(name).map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
              </Select>
              <Select
                name={say('orderDirection')}
                value={directionOf(sort, name) ?? 'ascending'}
                onChoose={(next) => onSort(sortedBy(sort, name, next === 'descending' ? 'descending' : 'ascending', true))}
              >
                <option value="ascending">{say('orderUp')}</option>
                <option value="descending">{say('orderDown')}</option>
              </Select>
              <button
                type="button"
                className="button square"
                aria-label={say('orderWithout', { name: titleOf(name) })}
                title={say('orderWithout', { name: titleOf(name) })}
                onClick={() => onSort(sortedBy(sort, name, undefined, true))}
              >
                <Icon name="x" />
              </button>
            </div>
          ))}
          {names.length < MOST && free().length > 0 && (
            <div className="row">
              <Select
                key={names.length}
                name={say(names.length === 0 ? 'orderBy' : 'orderThen')}
                value=""
                onChoose={(name) => name !== '' && onSort(sortedBy(sort, name, 'ascending', true))}
              >
                <option value="">{say(names.length === 0 ? 'orderBy' : 'orderThen')} …</option>
                {free().map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
              </Select>
            </div>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
