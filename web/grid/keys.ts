import type { Message } from '../i18n/messages.ts'
import type { Doing } from './props.ts'
import { choices, steps, type Cell, type KeysOf, type Selection } from './selection.ts'

/* The keys of the grid that no command has. What is pressed is looked up in these tables and those of selection.ts, and the list of shortcuts shows them. */

export interface On {
  readonly at: Cell
  readonly doing: Doing
  onSelect(selection: Selection): void
}

type Act = (on: On) => void

const edit: Act = ({ at: { row, col }, doing }) => doing.edit(row, col)
const empty: Act = ({ doing }) => doing.empty()

/** In a cell. */
export const acts: readonly KeysOf<Act>[] = [
  { title: 'keyOpen', keys: { Space: ({ at, doing }) => doing.open(at.row) } },
  { title: 'keyEdit', keys: { F2: edit, Enter: (on) => (on.at.col === 0 ? on.doing.open(on.at.row) : edit(on)) } },
  { title: 'keyEmpty', keys: { Delete: empty, Backspace: empty } },
  { title: 'keyOne', keys: { Escape: ({ at, onSelect }) => onSelect({ at, to: at }) } },
  { title: 'keyFillDown', keys: { 'Mod+D': ({ doing }) => doing.fill('down') } },
  { title: 'keyFillRight', keys: { 'Mod+R': ({ doing }) => doing.fill('right') } },
]

const menu = (column: HTMLElement | null): void => column?.querySelector<HTMLElement>('.open')?.click()

/** On the name of a column. */
export const headActs: readonly KeysOf<typeof menu>[] = [{ title: 'keyHeadMenu', keys: { 'Shift+Enter': menu, ContextMenu: menu } }]

/** What the browser and the editors of values do by keys of their own. */
const OTHERS: readonly Shown[] = [
  { title: 'keyType', keys: [] },
  { title: 'keyCommit', keys: ['Enter', 'Shift+Enter', 'Tab', 'Shift+Tab'] },
  { title: 'keyLeave', keys: ['Escape'] },
  { title: 'keyCopy', keys: ['Mod+C'] },
  { title: 'keyCut', keys: ['Mod+X'] },
  { title: 'keyPaste', keys: ['Mod+V'] },
]

interface Shown {
  readonly title: Message
  readonly keys: readonly string[]
}

/** For the list of shortcuts. */
export const gridKeys: readonly Shown[] = [
  ...steps.map(shown),
  { title: 'keyExtend', keys: ['Shift'] },
  ...[...choices, ...headActs, ...acts].map(shown),
  ...OTHERS,
]

function shown({ title, keys }: KeysOf<unknown>): Shown {
  return { title, keys: Object.keys(keys) }
}
