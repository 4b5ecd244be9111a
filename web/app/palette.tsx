import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Autocomplete, Dialog, Input, Menu, MenuItem, Modal, ModalOverlay, SearchField, useFilter } from 'react-aria-components'
import { tables } from '../api/queries.ts'
import { commands, shownKeys, useCommands } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

interface Item {
  readonly id: string
  readonly title: string
  readonly icon: string
  readonly keys?: string
  run(): void
}

/** Tables and commands by their names: Ctrl+K. */
export function Palette({ isOpen, onOpenChange }: { readonly isOpen: boolean; readonly onOpenChange: (isOpen: boolean) => void }) {
  const say = useWords()
  const navigate = useNavigate()
  const { contains } = useFilter({ sensitivity: 'base' })
  const possible = useCommands()
  const { data } = useQuery({ ...tables, enabled: isOpen })
  const items: readonly Item[] = isOpen
    ? [
        ...(data?.data ?? []).map(({ id, attributes }) => ({
          id: `table ${id}`,
          title: String(attributes['table_name']),
          icon: 'grid',
          run: () => void navigate({ to: '/t/$table', params: { table: id } }),
        })),
        ...possible.flatMap(([name, run]) => {
          const command = commands[name]
          return 'isHidden' in command
            ? []
            : [{ id: name, title: say(command.title), icon: 'bolt', run, ...('keys' in command && { keys: shownKeys(command.keys) }) }]
        }),
      ]
    : []
  const run = (id: unknown) => {
    onOpenChange(false)
    items.find((item) => item.id === id)?.run()
  }
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={onOpenChange} isDismissable>
      <Modal className="popover">
        <Dialog className="palette" aria-label={say('find')}>
          <Autocomplete filter={contains}>
            <SearchField className="palette-find" aria-label={say('find')} autoFocus>
              <Icon name="search" />
              <Input placeholder={say('find')} />
            </SearchField>
            <Menu
              className="palette-items"
              aria-label={say('commands')}
              items={items}
              onAction={run}
              renderEmptyState={() => <div className="nothing">{say('nothingFound')}</div>}
            >
              {(item) => (
                <MenuItem className="menu-item" id={item.id} textValue={item.title}>
                  <Icon name={item.icon} />
                  <span className="cut">{item.title}</span>
                  {item.keys !== undefined && <kbd className="end">{item.keys}</kbd>}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
