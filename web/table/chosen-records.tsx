import { useState } from 'react'
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import type { Field, TitleOf } from '../fields/field.ts'
import { ValueControl } from '../filter/value-control.tsx'
import { useWords } from '../i18n/words.ts'
import { toGrid } from '../ui/grid-cell.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import type { Chosen } from './use-chosen.ts'

/** In the foot of the grid while whole rows are chosen: what is done with their records. */
export function ChosenRecords({ chosen, titleOf }: { readonly chosen: Chosen; readonly titleOf: TitleOf }) {
  const say = useWords()
  const [isOpen, setOpen] = useState(false)
  const { count, set, duplicate, remove } = chosen
  return (
    <span className="chosen" role="group" aria-label={say('chosenRecords', { count })}>
      <b>{say('chosenRecords', { count })}</b>
      {set && (
        <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
          <Button className="button small">
            <Icon name="edit" />
            <span>{say('changeChosen')}</span>
          </Button>
          <Popover className="popover change-chosen" placement="top start">
            <ChangeAll {...{ chosen, titleOf, set }} onClose={() => setOpen(false)} />
          </Popover>
        </DialogTrigger>
      )}
      {duplicate && (
        <button type="button" className="button small" onClick={() => (toGrid(), duplicate())}>
          <Icon name="copy" />
          <span>{say('duplicate')}</span>
        </button>
      )}
      {remove && (
        <button type="button" className="button small" onClick={() => (toGrid(), remove())}>
          <Icon name="trash" />
          <span>{say('toTrash')}</span>
        </button>
      )}
    </span>
  )
}

/** One value for a field of all of them. */
function ChangeAll({
  chosen: { count, settable },
  titleOf,
  set,
  onClose,
}: {
  readonly chosen: Chosen
  readonly titleOf: TitleOf
  readonly set: (field: Field, value: string) => void
  onClose(): void
}) {
  const say = useWords()
  const [name, setName] = useState(settable[0]!.name)
  const [value, setValue] = useState('')
  const field = settable.find((one) => one.name === name) ?? settable[0]!
  return (
    <Dialog className="view-name">
      <Heading slot="title" level={2}>
        {say('changeMany', { count })}
      </Heading>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          set(field, value)
          // The dialog gives the focus back to its button first.
          requestAnimationFrame(() => requestAnimationFrame(toGrid))
        }}
      >
        <Select
          name={say('filterField')}
          value={field.name}
          onChoose={(next) => {
            setName(next)
            setValue('')
          }}
        >
          {settable.map((one) => (
            <option key={one.name} value={one.name}>
              {one.title}
            </option>
          ))}
        </Select>
        <ValueControl
          key={field.name}
          {...{ field, titleOf }}
          operator="is"
          values={[value]}
          isPlain
          onChange={([next = '']) => setValue(next)}
        />
        <button type="submit" className="button primary">
          {say(value === '' ? 'emptyMany' : 'save')}
        </button>
      </form>
    </Dialog>
  )
}
