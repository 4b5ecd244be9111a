import { useSyncExternalStore } from 'react'
import type { Message } from '../i18n/messages.ts'

/* All that a person can do by a name or a key. The palette, the keys and the list of shortcuts are read off this table. */

interface Command {
  readonly title: Message
  /** Other words by which the palette finds it: what people call it elsewhere. */
  readonly also?: Message
  /** Such as `Mod+K` or `?`: Mod is Ctrl, and Cmd on a Mac. Letters are those of an English keyboard. */
  readonly keys?: string
  /** Others for the same. */
  readonly otherKeys?: string
  /** It is not in the palette: it opens that, or asks for something to type. */
  readonly isHidden?: true
  /** A text that is being typed has a use of its own for these keys. */
  readonly isOfText?: true
}

// prettier-ignore
export const commands = {
  find:     { title: 'jumpTo', keys: 'Mod+K', isHidden: true },
  search:   { title: 'searchTitle' },
  moveTable: { title: 'moveTable', keys: 'Alt+ArrowUp', isHidden: true },
  sidebar:  { title: 'toggleSidebar', keys: 'Mod+B' },
  quickSearch: { title: 'quickSearch', keys: '/', otherKeys: 'Mod+F' },
  toList:   { title: 'toList', isHidden: true },
  filter:   { title: 'filter', keys: 'Mod+Shift+F' },
  order:    { title: 'order' },
  unfilter: { title: 'clearFilter' },
  next:     { title: 'nextPage', keys: 'Alt+PageDown' },
  previous: { title: 'previousPage', keys: 'Alt+PageUp' },
  save:     { title: 'save', keys: 'Mod+S', isHidden: true },
  undo:     { title: 'undo', also: 'alsoUndo', keys: 'Mod+Z', isOfText: true },
  redo:     { title: 'redo', keys: 'Mod+Shift+Z', isOfText: true },
  open:     { title: 'openSelected' },
  goTo:     { title: 'goToRow', keys: 'Mod+G' },
  fillSeries: { title: 'fillSeries', keys: 'Mod+E', isOfText: true },
  refresh:  { title: 'refreshList' },
  foldGroups: { title: 'foldGroups' },
  unfoldGroups: { title: 'unfoldGroups' },
  ungroup: { title: 'groupNot' },
  saveView: { title: 'viewSaveLong' },
  resetView: { title: 'viewResetLong' },
  keepView: { title: 'viewKeep' },
  copyView: { title: 'viewSaveAs' },
  renameView: { title: 'viewRenameLong' },
  linkView: { title: 'viewLink', also: 'alsoLink' },
  shareView: { title: 'viewShare', also: 'alsoShare' },
  unshareView: { title: 'viewUnshare' },
  deleteView: { title: 'viewDelete' },
  importFile: { title: 'importTitle', also: 'alsoImport' },
  exportCsv: { title: 'exportCsv', also: 'alsoExport' },
  exportXlsx: { title: 'exportXlsx', also: 'alsoExport' },
  exportJson: { title: 'exportJson', also: 'alsoExport' },
  jobs:     { title: 'jobsTitle' },
  changes:  { title: 'changesTitle' },
  trash:    { title: 'trashTitle' },
  administration: { title: 'adminTitle' },
  adminUsers: { title: 'usersTitle' },
  adminGroups: { title: 'groupsTitle' },
  adminRights: { title: 'rightsTitle' },
  adminTokens: { title: 'tokensTitle' },
  adminWebhooks: { title: 'hooksTitle' },
  adminAudit: { title: 'auditTitle' },
  adminIndexes: { title: 'indexesTitle' },
  adminStorage: { title: 'storageTitle' },
  adminSettings: { title: 'settingsTitle' },
  adminAbout: { title: 'aboutTitle' },
  viewAs: { title: 'viewAs' },
  leaveView: { title: 'viewingLeaveLong' },
  create:   { title: 'newRecord', keys: 'Mod+Enter' },
  nextRecord: { title: 'nextRecord', keys: 'J' },
  previousRecord: { title: 'previousRecord', keys: 'K' },
  duplicate: { title: 'duplicate', keys: 'Mod+Shift+D' },
  toTrash:  { title: 'toTrash', also: 'alsoTrash', keys: 'Mod+Backspace', isOfText: true },
  newField: { title: 'newFieldHere', also: 'alsoField' },
  tableFields: { title: 'tableFields', also: 'alsoField' },
  api:      { title: 'apiTitle' },
  copyLink: { title: 'copyLink', also: 'alsoLink' },
  print:    { title: 'print' },
  theme:    { title: 'switchTheme' },
  language: { title: 'switchLanguage' },
  density:  { title: 'switchDensity' },
  profile:  { title: 'profile' },
  help:     { title: 'help' },
  keys:     { title: 'shortcuts', keys: '?' },
  reference: { title: 'reference' },
  signOut:  { title: 'signOut' },
} as const satisfies Readonly<Record<string, Command>>

export type CommandName = keyof typeof commands
/** What a part of the pages does for commands. One that it cannot do now is left out. */
export type Acts = { readonly [Name in CommandName]?: (() => void) | false }

/** A part with a higher rank is asked first. */
const parts = new Map<string, { readonly acts: Acts; readonly rank: number }>()
let possible: readonly (readonly [CommandName, () => void])[] = []
const listeners = new Set<() => void>()

/**
 * Takes part in the commands while it is there. Where two parts do the same, it is for the one with the higher `rank`: those of one rank must not
 * meet, since parts come and go each time they are drawn. Returns what takes it away.
 */
export function act(part: string, acts: Acts, rank = 0): () => void {
  parts.set(part, { acts, rank })
  gather()
  return () => {
    if (parts.get(part)?.acts !== acts) return
    parts.delete(part)
    gather()
  }
}

function gather(): void {
  const all = [...parts.values()].sort((a, b) => a.rank - b.rank)
  const acts: Acts = Object.assign({}, ...all.map((one) => one.acts))
  possible = (Object.keys(commands) as CommandName[]).flatMap((name) => (acts[name] ? [[name, acts[name]] as const] : []))
  for (const listener of listeners) listener()
}

/** The commands that can be done now, in the order of the table. */
export const useCommands = (): typeof possible =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => possible,
  )

export const run = (name: CommandName): void => possible.find(([one]) => one === name)?.[1]()

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Keys as they stand on the keyboard. */
export const shownKeys = (keys: string): string =>
  keys
    .split('+')
    .map((key) => (key === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : (ARROWS[key] ?? key)))
    .join(' ')

const ARROWS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }

/** Keys without Ctrl or Alt do nothing while somebody types, and none does anything under a dialog. */
export function listenToKeys(): () => void {
  const listener = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('[role=dialog]')) return
    const pressed = keysOf(event)
    const found = possible.find(([name]) => [(commands[name] as Command).keys, (commands[name] as Command).otherKeys].includes(pressed))
    if (!found) return
    const isOfText = !/^(Mod|Alt)\+/.test(pressed) || (commands[found[0]] as Command).isOfText
    if (isOfText && isTextInput(event.target)) return
    event.preventDefault()
    found[1]()
  }
  document.addEventListener('keydown', listener)
  return () => document.removeEventListener('keydown', listener)
}

/** A letter by its place where the keyboard has no Latin letters: `л` stands where `K` does. */
function keysOf(event: KeyboardEvent): string {
  const isLetter = /^Key[A-Z]$/.test(event.code)
  const key = isLetter && !/^[a-z]$/i.test(event.key) ? event.code.slice(3) : event.key.length === 1 ? event.key.toUpperCase() : event.key
  // A sign such as `?` needs Shift on some keyboards only.
  const isSign = event.key.length === 1 && !/[\p{L}\p{N}]/u.test(event.key)
  return [
    ...((isMac ? event.metaKey : event.ctrlKey) ? ['Mod'] : []),
    ...(event.altKey ? ['Alt'] : []),
    ...(event.shiftKey && !isSign ? ['Shift'] : []),
    key,
  ].join('+')
}

const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.tagName === 'TEXTAREA' ||
    (target instanceof HTMLInputElement && !/^(radio|checkbox|button|submit)$/.test(target.type)))
