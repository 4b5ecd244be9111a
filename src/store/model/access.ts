import { fail } from '../../errors.ts'
import type { Attribute } from '../../fields/field-type.ts'
import type { Asker } from './asker.ts'
import { hasEveryRight } from './built-in-groups.ts'
import type { Access, Catalogue, Table } from './catalogue.ts'
import { rightOnAttribute } from './field-rights.ts'
import { rightNames, rights, type Right } from './rights.ts'
import { memo } from '../../memory/memo.ts'

/** How a change came: a request (`api`), an import, another command, an undo, or the service by itself. */
type Door = 'api' | 'import' | 'command' | 'undo' | 'service'

/** What the changes of several callers have in common where they are one act: an import in two threads, an undo in several requests. */
export interface Batch {
  /** The position of the first change, 0 before there is one. In memory that threads may share. */
  readonly id: Float64Array
  /** The batch that is undone by it; 0: none. */
  readonly undoes: number
  /** The job that it is, in whose row its id is kept; 0: none. */
  readonly job: number
}

/**
 * Who sends a request: a user with a token, and the rights for this request. Each request, import and command has its own object, so changes
 * with the same object, or the same `batch`, belong together.
 */
export interface Caller extends Asker {
  readonly groupId: number
  /** Administers the installation: in the group of administrators, by a token that is not limited to some tables. */
  readonly administrator: boolean
  /** 0: without a token (command line). */
  readonly tokenId: number
  /** By the session of a browser. Absent: not. */
  readonly isSession?: boolean
  readonly scope: 'read' | 'write'
  /** Tables the token is limited to; undefined: all. */
  readonly tables: ReadonlySet<number> | undefined
  /** Address of the client, for the audit log; '' for the command line. */
  readonly address: string
  readonly door: Door
  /** The administrator who sees what this caller sees (people/viewing.ts). Absent: the caller themself. */
  readonly viewedBy?: Caller
  /** Absent: the changes of this caller are a batch of their own. */
  readonly batch?: Batch
}

/** Who sends the request, whoever's rights they have for the time being. */
export const selfOf = (caller: Caller): Caller => caller.viewedBy ?? caller

/** The parts of a caller that a change names: who made it, how, and what it belongs to. */
export type Actor = Pick<Caller, 'userId' | 'tokenId' | 'door' | 'batch'>

/** The parts of a caller that their rights depend on. */
type Holder = Pick<Caller, 'groupId' | 'scope' | 'tables'>

declare const right: unique symbol
/**
 * A table as one caller sees it, with the proof that they have the right R on it. Only `grant` makes one, and every function that
 * reads or writes records takes one: so code that forgets the check does not compile.
 */
export interface Granted<R extends Right> {
  readonly [right]: (right: R) => void
  readonly table: Table
  readonly caller: Caller
  readonly catalogue: Catalogue
  /** The attributes that exist for the caller: those not hidden from them, in the order of responses. The id always does. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** These, and those that answers show only where they are named: what filters, sorts and `fields[…]` may name. */
  readonly allAttributes: ReadonlyMap<string, Attribute>
  /** Names of attributes they may see but not change. */
  readonly readOnly: ReadonlySet<string>
  /** Filter expressions of their group, '' for none; `current_user` in them is the caller. */
  readonly readFilter: string
  readonly writeFilter: string
  /** All rights they have on the table. */
  readonly rights: ReadonlySet<Right>
}

/** A table as one caller sees it, whichever right they have proved. */
export type View = Granted<never>

/** The same, with all attributes where one is named that answers otherwise leave out. */
export const showing = <G extends View>(granted: G, names: ReadonlySet<string> | undefined): G =>
  names && [...names].some((name) => granted.allAttributes.get(name)?.onlyNamed)
    ? { ...granted, attributes: granted.allAttributes }
    : granted

const allRights: ReadonlySet<Right> = new Set(rightNames)
const none: ReadonlySet<never> = new Set()

/** Everything the caller may do with a table; empty when the table does not exist for them. */
export function rightsOn(tableId: number, caller: Holder, catalogue: Catalogue): ReadonlySet<Right> {
  if (!catalogue.tables.has(tableId) || (caller.tables && !caller.tables.has(tableId))) return none
  const held = hasEveryRight(caller) ? allRights : (accessOf(tableId, caller, catalogue)?.rights ?? none)
  return caller.scope === 'write' ? held : readingOnly(held)
}

/** What is refused because of the token alone, for `access.denied`. */
export const byReader = (what: string): string => `${what} with a token that may only read`

/**
 * The proof of one right, or of several at once, which is a proof of each of them.
 * @throws `table.not_found` where the caller has no right at all, `access.denied` where they lack a wanted one.
 */
export function grant<R extends Right>(wanted: R | readonly R[], tableId: number, caller: Caller, catalogue: Catalogue): Granted<R> {
  const held = rightsOn(tableId, caller, catalogue)
  const table = catalogue.tables.get(tableId)
  if (!table || held.size === 0) throw fail('table.not_found', { table: tableId })
  for (const one of typeof wanted === 'string' ? [wanted] : wanted)
    if (!held.has(one)) {
      const what = `${one === 'bulk' ? 'write in bulk' : one} in table ${tableId}`
      // By the token alone: which rights the group has does not show through a token that may only read.
      const isOfToken = caller.scope !== 'write' && rights[one].writes
      throw fail('access.denied', { what: isOfToken ? byReader(what) : what })
    }
  return viewOf(table, caller, catalogue, held) as Granted<R>
}

/** What the caller sees of a table, whatever rights they have. */
export const view = (table: Table, caller: Caller, catalogue: Catalogue): View =>
  viewOf(table, caller, catalogue, rightsOn(table.id, caller, catalogue)) as View

/** Views by table and rule: both are new objects when they change. Administrators have no rule. */
const viewsOf = memo((table: Table) => memo((_: Access | typeof none, access: Access | undefined) => lookUp(table, access)))

function viewOf(table: Table, caller: Caller, catalogue: Catalogue, held: ReadonlySet<Right>): Omit<Granted<never>, typeof right> {
  const access = hasEveryRight(caller) ? undefined : accessOf(table.id, caller, catalogue)
  const seen = viewsOf(table)(access ?? none, access)
  return {
    table,
    caller,
    catalogue,
    rights: held,
    attributes: seen.attributes,
    allAttributes: seen.allAttributes,
    readOnly: seen.readOnly,
    readFilter: access?.readFilter ?? '',
    writeFilter: access?.writeFilter ?? '',
  }
}

function lookUp(table: Table, access: Access | undefined): Pick<View, 'attributes' | 'allAttributes' | 'readOnly'> {
  if (!access) return { attributes: table.attributes, allAttributes: table.allAttributes, readOnly: none }
  const names = [...table.allAttributes.keys()]
  const hidden = new Set(names.filter((name) => rightOnAttribute(access.fields, name) === 'hidden'))
  // What is kept of records by who sees which attributes is shared with those who see all of them.
  const seen = (all: Table['attributes']) => (hidden.size === 0 ? all : new Map([...all].filter(([name]) => !hidden.has(name))))
  const [attributes, allAttributes] = [seen(table.attributes), seen(table.allAttributes)]
  return { attributes, allAttributes, readOnly: new Set(names.filter((name) => rightOnAttribute(access.fields, name) === 'read_only')) }
}

const accessOf = (tableId: number, caller: Holder, catalogue: Catalogue) => catalogue.access.get(caller.groupId)?.get(tableId)

const readingOnly = (held: ReadonlySet<Right>): ReadonlySet<Right> => new Set([...held].filter((one) => !rights[one].writes))
