import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { commands, run, useCommands, type CommandName } from './commands.ts'

/** Some commands in a menu: those of them that can be done now. */
export function MoreMenu({ title, names }: { readonly title: string; readonly names: readonly CommandName[] }) {
  const say = useWords()
  const possible = useCommands()
  const shown = names.filter((name) => possible.some(([one]) => one === name))
  if (shown.length === 0) return null
  return (
    <MenuTrigger>
      <Button className="button square" aria-label={title}>
        <Icon name="more" />
      </Button>
      <Popover placement="bottom end">
        <Menu className="menu" aria-label={title} onAction={(name) => run(name as CommandName)}>
          {shown.map((name) => (
            <MenuItem key={name} id={name} className="menu-item" textValue={say(commands[name].title)}>
              <Icon name={ICONS[name] ?? 'download'} />
              <span>{say(commands[name].title)}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

const ICONS: Partial<Record<CommandName, string>> = {
  importFile: 'upload',
  tableFields: 'settings',
  undo: 'undo',
  duplicate: 'copy',
  print: 'print',
  toTrash: 'trash',
}
