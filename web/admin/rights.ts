/* What a rule of access says, as the pages show and change it. */

/** The id of the group that may do everything. */
export const ADMINISTRATORS = 1

/** The twelve rights by their names on the wire, in the groups in which they are shown. */
export const SEE = ['read', 'print'] as const
export const CHANGE = ['create', 'update', 'delete', 'archive', 'bed'] as const
export const SPECIAL = ['sms', 'send', 'free_sms_template', 'free_mail_template', 'standart_template'] as const

export type Right = (typeof SEE)[number] | (typeof CHANGE)[number] | (typeof SPECIAL)[number]
export const RIGHTS: readonly Right[] = [...SEE, ...CHANGE, ...SPECIAL]

export type FieldRight = 'hidden' | 'read_only' | 'writable'
type WrittenFields = Readonly<Record<string, FieldRight>> | { readonly allow: Readonly<Record<string, FieldRight>> }

/** What is set in a rule. */
export interface Rule extends Readonly<Partial<Record<Right, boolean>>> {
  readonly read_filter?: string
  readonly write_filter?: string
  readonly fields?: WrittenFields
  readonly assignable?: boolean
}

const presets = {
  read: ['read'],
  work: [...SEE, 'create', 'update', 'delete', 'archive'],
  all: RIGHTS,
} as const satisfies Readonly<Record<string, readonly Right[]>>

export type Preset = 'none' | keyof typeof presets
export type Level = Preset | 'mix'

/** The rights of a preset, set and not set. Filters and fields stay as they are. */
export const rightsOf = (preset: keyof typeof presets): Readonly<Record<string, boolean>> =>
  Object.fromEntries(RIGHTS.map((right) => [right, (presets[preset] as readonly Right[]).includes(right)]))

/** A rule without a right is as good as none. */
export function levelOf(rule: Rule | undefined): Level {
  const held = RIGHTS.filter((right) => rule?.[right] === true)
  if (held.length === 0) return 'none'
  const same = Object.entries(presets).find(
    ([, rights]) => rights.length === held.length && held.every((one) => rights.some((x) => x === one)),
  )
  return (same?.[0] as Level | undefined) ?? 'mix'
}

/** How many of three bars stand for it: nothing, reading, changing, everything. */
export const strengthOf = (rule: Rule | undefined): 0 | 1 | 2 | 3 => {
  const level = levelOf(rule)
  if (level === 'none') return 0
  if (level === 'all') return 3
  return CHANGE.some((right) => rule?.[right] === true) ? 2 : 1
}

/** A right together with those without which it is of no use. */
export const withNeeded = (right: Right, isSet: boolean): Readonly<Record<string, boolean>> => ({
  [right]: isSet,
  ...(isSet && ['update', 'delete', 'archive', 'bed', 'print'].includes(right) && { read: true }),
})

export interface FieldRights {
  /** What the attributes are that are not named, such as fields made later. */
  readonly others: 'hidden' | 'writable'
  readonly named: Readonly<Record<string, FieldRight>>
}

export function readFields(written: WrittenFields | undefined): FieldRights {
  if (!written) return { others: 'writable', named: {} }
  const { allow } = written as { allow?: unknown }
  return typeof allow === 'object'
    ? { others: 'hidden', named: allow as FieldRights['named'] }
    : { others: 'writable', named: written as FieldRights['named'] }
}

const writeFields = ({ others, named }: FieldRights): WrittenFields => (others === 'hidden' ? { allow: named } : named)

export interface Attribute {
  readonly name: string
  /** Nobody writes it: the service does. */
  readonly isFixed: boolean
}

/** The state of one attribute. `update_time` is hidden with `add_time` unless it is named. */
export function stateOf({ others, named }: FieldRights, { name, isFixed }: Attribute): FieldRight {
  const state = named[name] ?? (name === 'update_time' && named['add_time'] === 'hidden' ? 'hidden' : others)
  return isFixed && state === 'writable' ? 'read_only' : state
}

/** What is as the rest is need not be named, unless it follows another attribute. */
function nameIt(named: Record<string, FieldRight>, others: FieldRights['others'], { name, isFixed }: Attribute, state: FieldRight): void {
  const rest = isFixed && others === 'writable' ? 'read_only' : others
  const wanted = isFixed && state === 'writable' ? 'read_only' : state
  if (wanted === rest && name !== 'update_time') delete named[name]
  else named[name] = wanted
}

/** The rule's `fields` after some attributes have got a state. */
export function withStates(rights: FieldRights, some: readonly Attribute[], state: FieldRight): WrittenFields {
  const named: Record<string, FieldRight> = { ...rights.named }
  for (const one of some) nameIt(named, rights.others, one, state)
  return writeFields({ ...rights, named })
}

/** The rule's `fields` after it has been said what fields become that are made later; those of now (`all`) stay as they are. */
export function withOthers(rights: FieldRights, all: readonly Attribute[], others: FieldRights['others']): WrittenFields {
  const named: Record<string, FieldRight> = {}
  for (const one of all) nameIt(named, others, one, stateOf(rights, one))
  return writeFields({ others, named })
}

/** Attributes that every record has and a rule may name; only `status` can be set. */
export const SYSTEM = ['user_id', 'add_time', 'update_time', 'status'] as const
export const isFixed = (name: string, type?: string): boolean =>
  type === 'autonumber' || name === 'user_id' || name === 'add_time' || name === 'update_time'

/** The filter that keeps records whose attribute is the person signed in. */
export const ownBy = (name: string): string => `eq(${name},current_user)`
