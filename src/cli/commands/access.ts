import { fold } from '../../fields/fold.ts'
import { allRows, committed } from '../../store/ground/relation.ts'
import type { Table } from '../../store/model/catalogue.ts'
import {
  attributeNamed,
  isAllowList,
  nameable,
  readFieldRights,
  writeFieldRights,
  type FieldRight,
  type WrittenFieldRights,
} from '../../store/model/field-rights.ts'
import { rightNames, rights, type Right } from '../../store/model/rights.ts'
import { accessRules, type AccessRule } from '../../store/people/access-rows.ts'
import { createRule, deleteRule, updateRule } from '../../store/structure/access-rules.ts'
import { explainAccess, type Missing } from '../../store/structure/explain-access.ts'
import { command, count, jsonOption, many, show, text, type Context } from '../contract/command.ts'
import { findGroup } from '../contract/find-group.ts'
import { findTable } from '../contract/find-table.ts'
import { findUser } from '../contract/find-user.ts'
import { UsageError } from '../explain/explain.ts'

const group = { name: 'group', says: 'id or name of the group' }
const table = { name: 'table', says: 'id or name of the table' }

/** The names that requests and documents have for two of the rights. */
const alsoCalled: Readonly<Record<string, string>> = { bed: 'bulk', standart_template: 'standard_template' }

/** The word for a right. */
const wordOf = (right: Right): string => rights[right].column.slice('may_'.length)
const wordsOf = (held: (right: Right) => boolean): string => rightNames.filter(held).map(wordOf).join(' ')

/** What a rule says of single attributes: `all`, `all but f2 (hidden), f5 (read_only)`, or `only f3, f4 (read_only)`. */
function fieldsText(written: WrittenFieldRights | null): string {
  const { named } = readFieldRights(written)
  const list = [...named].map(([name, right]) => (right === 'writable' ? name : `${name} (${right})`)).join(', ')
  if (written && isAllowList(written)) return list === '' ? 'none' : `only ${list}`
  return list === '' ? 'all' : `all but ${list}`
}

const rowOf = (rule: AccessRule) => ({
  id: rule.id,
  group: rule.groupId,
  table: rule.tableId,
  rights: wordsOf((right) => rule[right]),
  fields: fieldsText(rule.fields),
  assignable: rule.assignable ? 'yes' : 'no',
  'read filter': rule.readFilter,
  'write filter': rule.writeFilter,
})

export const listAccess = command({
  name: 'access list',
  says: 'Lists the rules of access: what each group may do with a table.',
  args: [],
  options: [
    { flags: '--group <group>', says: 'only rules of this group' },
    { flags: '--table <table>', says: 'only rules on this table' },
    jsonOption,
  ],
  begins: false,
  async run(context) {
    const { store } = context
    const [ofGroup, ofTable] = [text(context, 'group'), text(context, 'table')]
    const groupId = ofGroup === undefined ? undefined : (await findGroup(store, ofGroup)).id
    const tableId = ofTable === undefined ? undefined : findTable(store, ofTable).id
    const all = await allRows(committed(store), accessRules)
    const tables = store.catalogue().tables
    const rows = all.filter(
      (rule) => tables.has(rule.tableId) && (groupId ?? rule.groupId) === rule.groupId && (tableId ?? rule.tableId) === rule.tableId,
    )
    await show(context, rows.map(rowOf))
    return 0
  },
})

const ruleOf = async ({ store }: Context, groupId: number, tableId: number): Promise<AccessRule | undefined> =>
  (await allRows(committed(store), accessRules)).find((rule) => rule.groupId === groupId && rule.tableId === tableId)

export const setAccess = command({
  name: 'access set',
  says: 'Creates or changes the rule of a group on a table. What no option names stays as it is.',
  args: [group, table],
  options: [
    { flags: '--rights <rights>', says: `all, none, or some, separated by commas: ${rightNames.map(wordOf).join(', ')}` },
    { flags: '--read-filter <filter>', says: "the group sees only records that match; '' for all" },
    { flags: '--write-filter <filter>', says: "the group creates, changes and deletes only records that match; '' for all" },
    { flags: '--hide <attribute>', says: 'hide one more field (name, id or f12), user_id, add_time, status or update_time', many: true },
    { flags: '--only <attribute>', says: 'hide everything that is named neither here nor by --read-only', many: true },
    {
      flags: '--read-only <attribute>',
      says: 'show it, and refuse changes; with --hide and without --only, other fields stay as they are',
      many: true,
    },
    { flags: '--all-fields', says: 'nothing is hidden or read-only' },
    { flags: '--assignable <yes|no>', says: 'whether the group sees the users whom it may assign' },
  ],
  begins: false,
  async run(context) {
    const { store, by, args } = context
    const { id: groupId } = await findGroup(store, args['group']!)
    const on = findTable(store, args['table']!)
    const now = await ruleOf(context, groupId, on.id)
    const fields = fieldsAsked(context, on, now?.fields ?? null)
    const [readFilter, writeFilter, assignable] = [text(context, 'readFilter'), text(context, 'writeFilter'), text(context, 'assignable')]
    if (assignable !== undefined && assignable !== 'yes' && assignable !== 'no')
      throw new UsageError(`--assignable takes yes or no, not '${assignable}'.`)
    const changes: Partial<AccessRule> = {
      ...rightsAsked(text(context, 'rights')),
      ...(readFilter !== undefined && { readFilter }),
      ...(writeFilter !== undefined && { writeFilter }),
      ...(fields && { fields }),
      ...(assignable !== undefined && { assignable: assignable === 'yes' }),
    }
    if (now) await updateRule(store, by, now.id, changes)
    else await context.output.note(`Rule ${await createRule(store, by, { groupId, tableId: on.id, ...changes })} created.`)
    return 0
  },
})

function rightsAsked(typed: string | undefined): Partial<AccessRule> {
  if (typed === undefined) return {}
  const named = typed === 'none' || typed === '' ? [] : typed.split(',').map((word) => word.trim())
  const words = typed === 'all' ? rightNames.map(wordOf) : named.map((word) => alsoCalled[word] ?? word)
  const unknown = words.find((word) => !rightNames.some((right) => wordOf(right) === word))
  if (unknown !== undefined) throw new UsageError(`There is no right '${unknown}'. Rights: ${rightNames.map(wordOf).join(', ')}.`)
  return Object.fromEntries(rightNames.map((right) => [right, words.includes(wordOf(right))]))
}

/** Undefined: none of the options is there. `now`: what the rule says, to which --hide and --read-only add. */
function fieldsAsked(context: Context, on: Table, now: WrittenFieldRights | null): WrittenFieldRights | undefined {
  const [hidden, only, readOnly] = ['hide', 'only', 'readOnly'].map((option) =>
    many(context, option).map((named) => findAttribute(on, named)),
  )
  const asked = hidden!.length + only!.length + readOnly!.length > 0
  if (context.options['allFields'] === true) {
    if (asked) throw new UsageError('--all-fields stands without --hide, --only and --read-only.')
    return {}
  }
  if (!asked) return undefined
  if (hidden!.length > 0 && only!.length > 0) throw new UsageError('--hide and --only exclude each other: --only hides everything else.')
  const each = (names: readonly string[], right: FieldRight) => names.map((name): [string, FieldRight] => [name, right])
  const fixed = (name: string) => name === 'user_id' || name === 'add_time' || name === 'update_time'
  if (only!.length === 0) {
    const { others, named } = readFieldRights(now)
    const all = [...named, ...each(hidden!, 'hidden'), ...each(readOnly!, 'read_only')]
    // What an allow-list does not name is hidden.
    const kept = new Map([...new Map(all)].filter(([, right]) => right !== others))
    return writeFieldRights({ others, named: kept })
  }
  const shown = [
    ...each(
      only!.filter((name) => !fixed(name)),
      'writable',
    ),
    ...each(only!.filter(fixed), 'read_only'),
    ...each(readOnly!, 'read_only'),
  ]
  return { allow: Object.fromEntries(shown) }
}

/** Its name in requests. @throws UsageError if the table has no such attribute, or several */
function findAttribute({ title, fields }: Table, named: string): string {
  if (nameable.includes(named)) return named
  const found = fields.filter(({ name }) => name === attributeNamed(named))
  if (found.length === 0) found.push(...fields.filter((field) => fold(field.title) === fold(named)))
  if (found.length === 1) return found[0]!.name
  if (found.length > 1)
    throw new UsageError(`Several fields are called '${named}': ${found.map(({ name }) => name).join(', ')}. Name one by its id.`)
  throw new UsageError(`The table '${title}' has no field '${named}'.`)
}

export const removeAccess = command({
  name: 'access remove',
  says: 'Takes all rights of a group on a table away: for the group, the table does not exist any more.',
  args: [group, table],
  options: [],
  begins: false,
  async run(context) {
    const { store, by, args } = context
    const of = await findGroup(store, args['group']!)
    const on = findTable(store, args['table']!)
    const rule = await ruleOf(context, of.id, on.id)
    if (!rule) throw new UsageError(`The group '${of.title}' has no rule on the table '${on.title}'.`)
    await deleteRule(store, by, rule.id)
    return 0
  },
})

const why: Readonly<Record<Missing, string>> = {
  no_right: 'does not exist for them: they have no right to read the table',
  read_filter: 'does not exist for them: the read filter of their group does not match it',
  in_trash: 'does not exist for them: it is in the trash',
  not_found: 'does not exist',
}

export const explainAccessCommand = command({
  name: 'access explain',
  says: 'Shows what a user may do with a table, and with --record why a record does not exist for them.',
  args: [{ name: 'login', says: 'login of the user' }, table],
  options: [{ flags: '--record <id>', says: 'a record of the table' }, jsonOption],
  begins: false,
  async run(context) {
    const { store, by, args } = context
    const user = await findUser(store, args['login']!)
    const recordId = count(context, 'record')
    const explained = await explainAccess(store, by, { userId: user.id, tableId: findTable(store, args['table']!).id, recordId })
    const { record } = explained
    const rows = [
      ['group', String(explained.groupId)],
      ['rule', explained.rule === undefined ? '' : String(explained.rule)],
      ['rights', wordsOf((right) => explained.rights.has(right))],
      ['read filter', explained.readFilter],
      ['write filter', explained.writeFilter],
      ...[...explained.attributes].map(([name, right]) => [name, right]),
      ...(record
        ? [
            [
              `record ${recordId}`,
              record.missing ? why[record.missing] : record.writable ? 'exists' : 'exists; the write filter does not match it',
            ],
          ]
        : []),
    ]
    if (explained.archived) await context.output.note(`The user '${user.login}' is archived and cannot sign in.`)
    await show(
      context,
      rows.map(([what, is]) => ({ what, is })),
    )
    return 0
  },
})
