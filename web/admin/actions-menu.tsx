import { useRef } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Icon } from '../ui/icon.tsx'

export interface Action {
  readonly title: string
  readonly icon: string
  readonly isBad?: true
  run(): void
}

/** Frames after which an action runs whatever the menu does. */
const MOST = 120

/** When the menu is gone: while it is there it keeps the focus, which its button gets then, and an action may ask for something to type. */
function whenGone(menu: HTMLElement | null, run: () => void, frames = 0): void {
  requestAnimationFrame(() => {
    if (menu?.isConnected && frames < MOST) whenGone(menu, run, frames + 1)
    else requestAnimationFrame(() => requestAnimationFrame(run))
  })
}

/** What can be done with one thing of a list. */
export function ActionsMenu({ title, actions }: { readonly title: string; readonly actions: readonly Action[] }) {
  const menu = useRef<HTMLDivElement>(null)
  return (
    <MenuTrigger>
      <Button className="button square small" aria-label={title}>
        <Icon name="more" />
      </Button>
      <Popover placement="bottom end">
        <Menu ref={menu} className="menu" aria-label={title} onAction={(at) => whenGone(menu.current, () => actions[Number(at)]?.run())}>
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
