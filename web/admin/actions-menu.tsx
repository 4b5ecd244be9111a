import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Icon } from '../ui/icon.tsx'

export interface Action {
  readonly title: string
  readonly icon: string
  readonly isBad?: true
  run(): void
}

/** When the menu is gone: while it is there it keeps the focus, and an action may ask for something to type. */
const soon = (run: () => void) => void requestAnimationFrame(() => requestAnimationFrame(run))

/** What can be done with one thing of a list. */
export function ActionsMenu({ title, actions }: { readonly title: string; readonly actions: readonly Action[] }) {
  return (
    <MenuTrigger>
      <Button className="button square small" aria-label={title}>
        <Icon name="more" />
      </Button>
      <Popover placement="bottom end">
        <Menu className="menu" aria-label={title} onAction={(at) => soon(() => actions[Number(at)]?.run())}>
          {actions.map(({ title: word, icon, isBad }, i) => (
            <MenuItem key={i} id={i} className={`menu-item${isBad ? ' bad' : ''}`} textValue={word}>
              <Icon name={icon} />
              <span className="cut">{word}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
