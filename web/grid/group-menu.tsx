import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** By what the list is grouped, and what can be done with all groups. */
export function GroupMenu({
  name,
  onFold,
  onUnfold,
  onUngroup,
}: {
  readonly name: string
  onFold(): void
  onUnfold(): void
  onUngroup(): void
}) {
  const say = useWords()
  const acts: readonly (readonly [Message, string, () => void])[] = [
    ['foldGroups', 'chevron-right', onFold],
    ['unfoldGroups', 'chevron-down', onUnfold],
    ['groupNot', 'x', onUngroup],
  ]
  return (
    <MenuTrigger>
      <Button className="button group-menu">
        <Icon name="group" />
        <span className="cut">{say('groupedBy', { name })}</span>
      </Button>
      <Popover placement="bottom end">
        <Menu className="menu" aria-label={say('groupedBy', { name })} onAction={(id) => acts.find(([message]) => message === id)?.[2]()}>
          {acts.map(([message, icon]) => (
            <MenuItem key={message} id={message} className="menu-item">
              <Icon name={icon} />
              <span>{say(message)}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
