import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import type { Field } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { columnsOfCard, MOST, type CardFields } from './card-fields.ts'

/** The first that are filled, as nobody has chosen any. */
const USUAL = 'usual'

/** Which fields the cards of a list show besides their title. */
export function CardFieldsMenu({
  shows,
  fields,
  title,
  onColumns,
}: {
  readonly shows: CardFields
  /** Those that may be chosen. */
  readonly fields: readonly Field[]
  readonly title: Field | undefined
  onColumns(columns: string | undefined): void
}) {
  const say = useWords()
  const choices = fields.filter((field) => field !== title)
  const chosen = shows.isChosen ? shows.fields : []
  return (
    <MenuTrigger>
      <Button className="button card-fields" aria-label={say('cardFields')}>
        <Icon name="columns" />
        <span className="only-wide">{say('cardFields')}</span>
      </Button>
      <Popover placement="bottom end">
        <Menu
          className="menu columns-menu"
          aria-label={say('cardFields')}
          selectionMode="multiple"
          selectedKeys={shows.isChosen ? chosen.map(({ name }) => name) : [USUAL]}
          onSelectionChange={(keys) => {
            const names = new Set([...(keys === 'all' ? choices.map(({ name }) => name) : keys)].map(String))
            if (names.has(USUAL) && shows.isChosen) return onColumns(undefined)
            const come = choices.filter((field) => names.has(field.name) && !chosen.includes(field))
            onColumns(columnsOfCard([...chosen.filter(({ name }) => names.has(name)), ...come].slice(0, MOST), title))
          }}
        >
          {[undefined, ...choices].flatMap((field) => [
            <MenuItem
              key={field?.name ?? USUAL}
              id={field?.name ?? USUAL}
              className="menu-item"
              textValue={field?.title ?? say('cardFieldsUsual')}
            >
              {({ isSelected }) => (
                <>
                  <span className={isSelected ? 'picked' : 'picked not'}>
                    <Icon name="check" />
                  </span>
                  {field && <Icon name={typeOf(field).icon} size="s" />}
                  <span className="cut">{field?.title ?? say('cardFieldsUsual')}</span>
                </>
              )}
            </MenuItem>,
            ...(field ? [] : [<Separator key="line" />]),
          ])}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
