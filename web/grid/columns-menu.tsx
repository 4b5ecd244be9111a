import { Button, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { run, useCommands } from '../commands/commands.ts'
import type { Field } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { choosable, usualColumns, withFields, type Column } from './columns.ts'

/** Which fields are columns. */
export function ColumnsMenu({
  columns,
  fields,
  title,
  onColumns,
}: {
  readonly columns: readonly Column[]
  readonly fields: readonly Field[]
  readonly title: Field | undefined
  onColumns(columns: readonly Column[]): void
}) {
  const say = useWords()
  const usual = usualColumns(fields, title)
  const all = choosable(fields, title)
  const hidden = usual.filter(({ field }) => !columns.some((one) => one.field.name === field.name)).length
  const mayDesign = useCommands().some(([command]) => command === 'newField')
  const name = hidden > 0 ? say('columnsHidden', { count: hidden }) : say('columns')
  return (
    <MenuTrigger>
      <Button className="button" aria-label={name}>
        <Icon name="columns" />
        <span className="only-wide">{name}</span>
      </Button>
      <Popover placement="bottom end">
        <Menu className="menu columns-menu" aria-label={say('columns')}>
          <MenuSection
            aria-label={say('columns')}
            selectionMode="multiple"
            disallowEmptySelection
            selectedKeys={columns.map(({ field }) => field.name)}
            onSelectionChange={(keys) => {
              const wanted = keys === 'all' ? new Set(all.map(({ field }) => field.name)) : (keys as Set<string>)
              onColumns(withFields(columns, wanted, all))
            }}
          >
            {all.map(({ field }) => (
              <MenuItem key={field.name} id={field.name} className="menu-item" textValue={field.title}>
                {({ isSelected }) => (
                  <>
                    <span className={isSelected ? 'picked' : 'picked not'}>
                      <Icon name="check" />
                    </span>
                    <Icon name={typeOf(field).icon} size="s" />
                    <span className="cut">{field.title}</span>
                  </>
                )}
              </MenuItem>
            ))}
          </MenuSection>
          {mayDesign && <Separator />}
          {mayDesign && (
            <MenuItem id="+field" className="menu-item" textValue={say('newFieldHere')} onAction={() => run('newField')}>
              <Icon name="plus" />
              <span>{say('newFieldHere')}</span>
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
