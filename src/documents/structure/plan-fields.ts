import { typeSettingRows, type Option } from '../../fields/field-type.ts'
import { unset } from '../../store/catalogue/setting-columns.ts'
import type { RequestedOption } from '../../store/structure/field-options.ts'
import type { FieldInfo } from '../../store/structure/field-settings.ts'
import { createField, deleteField, updateField } from '../../store/structure/fields.ts'
import { updateTable } from '../../store/structure/tables.ts'
import { settingName, type FieldPart, type OptionPart, type TablePart } from './document.ts'
import type { Item, TableItem } from './inventory.ts'
import { keysOf } from './names.ts'
import { differing, reordered, type Doing, type Step } from './step.ts'

export type FieldPlan = ReturnType<typeof planFields>

/** What becomes of the fields of a table: creations and changes, their order, and what goes. */
export function planFields(tableKey: string, now: TableItem | undefined, wanted: TablePart, deletes: boolean) {
  const { fields } = wanted
  if (!fields) return { changes: [], order: [], gone: [] }
  const keys = keysOf(fields.map(({ name }) => name))
  const there = new Map(now?.fields.map((item) => [item.key, item]))
  const changes = fields.flatMap((part, i) => {
    const item = there.get(keys[i]!)
    return item ? changed(tableKey, item, part, deletes) : [created(tableKey, keys[i]!, part)]
  })
  const among = new Set(keys)
  const leaving = deletes ? (now?.fields.filter(({ key }) => !among.has(key)) ?? []) : []
  const coming = keys.filter((key) => !there.has(key))
  const order = reordered([...(now?.fields.map(({ key }) => key) ?? []), ...coming], keys)
  return {
    changes,
    order: order ? [ordered(tableKey, keys)] : [],
    gone: leaving.map(({ id, key }): Step => ({
      kind: 'delete',
      says: `delete the field '${key}' of the table '${tableKey}' (to the trash)`,
      run: ({ store, by }) => deleteField(store, by, id),
    })),
  }
}

const created = (tableKey: string, key: string, part: FieldPart): Step => ({
  kind: 'create',
  says: `create the field '${key}' (${part.type}) of the table '${tableKey}'`,
  async run(doing) {
    const tableId = doing.ids.of('table', tableKey)
    const options = part.options?.map((one) => ({ label: labelOf(one) }))
    const id = await createField(doing.store, doing.by, { tableId, ...infoOf(part, doing), ...(options && { options }) })
    doing.ids.setField(tableId, key, id)
  },
})

function changed(tableKey: string, { id, key, part: now }: Item<FieldPart>, part: FieldPart, deletes: boolean): Step[] {
  const members = differing(now, part).filter((member) => member !== 'options')
  const options = part.options && planOptions(now.options?.map(labelOf) ?? [], part.options, deletes)
  if (members.length === 0 && !options) return []
  const converts = now.type !== part.type
  const what = [...members.filter((member) => member !== 'type'), ...(options ? [`options (${options.says})`] : [])].join(', ')
  const of = `the field '${key}' of the table '${tableKey}'`
  return [
    {
      kind: converts ? 'convert' : options?.removes ? 'delete' : 'change',
      says: converts
        ? `convert ${of} from ${now.type} to ${part.type}${what === '' ? '' : `, and change ${what}`}`
        : `change ${of}: ${what}`,
      async run(doing) {
        const { store, by, ids } = doing
        const info = infoOf(part, doing)
        const names = new Set(members.map(propertyOf))
        const changes = converts ? info : Object.fromEntries(Object.entries(info).filter(([property]) => names.has(property)))
        const before = store
          .catalogue()
          .tables.get(ids.of('table', tableKey))!
          .fields.find((field) => field.id === id)!.settings.options
        await updateField(store, by, id, { ...changes, ...(options && { options: options.requested(before ?? []) }) })
      },
    },
  ]
}

const ordered = (tableKey: string, keys: readonly string[]): Step => ({
  kind: 'change',
  says: `put the fields of the table '${tableKey}' in order`,
  run({ store, by, ids }) {
    const tableId = ids.of('table', tableKey)
    const present = store
      .catalogue()
      .tables.get(tableId)!
      .fields.map((field) => field.id)
    const fieldOrder = reordered(
      present,
      keys.map((key) => ids.field(tableId, key)!),
    )
    return fieldOrder ? updateTable(store, by, tableId, { fieldOrder }) : Promise.resolve()
  },
})

const labelOf = (option: string | OptionPart): string => (typeof option === 'string' ? option : option.name)

/** Undefined: the field has these options in this order. */
function planOptions(now: readonly string[], wanted: readonly (string | OptionPart)[], deletes: boolean) {
  const there = new Set(now)
  const olds = new Map<string, string>()
  for (const one of wanted)
    if (typeof one === 'object' && one.was !== undefined && !there.has(one.name) && there.has(one.was)) olds.set(one.name, one.was)
  const labels = wanted.map(labelOf)
  const kept = new Set([...labels, ...olds.values()])
  const others = now.filter((label) => !kept.has(label))
  const next = deletes ? labels : [...labels, ...others]
  if (next.length === now.length && next.every((label, i) => label === now[i])) return undefined
  const list = (some: readonly string[]) => some.map((label) => `'${label}'`).join(', ')
  const added = labels.filter((label) => !there.has(label) && !olds.has(label))
  const removed = deletes ? others : []
  const says = [
    ...[...olds].map(([label, was]) => `rename '${was}' to '${label}'`),
    ...(added.length > 0 ? [`add ${list(added)}`] : []),
    ...(removed.length > 0 ? [`remove ${list(removed)}`] : []),
  ]
  return {
    says: says.length > 0 ? says.join('; ') : 'their order',
    removes: removed.length > 0,
    requested(options: readonly Option[]): RequestedOption[] {
      const ids = new Map(options.filter(({ removed }) => !removed).map(({ id, label }) => [label, id]))
      return next.map((label) => ({ id: ids.get(olds.get(label) ?? label), label }))
    },
  }
}

const common: Readonly<Record<string, keyof FieldInfo>> = {
  type: 'typeName',
  required: 'required',
  unique: 'unique',
  default: 'defaultValue',
  hint: 'hint',
  section: 'section',
}
const propertyOf = (member: string): string =>
  common[member] ?? typeSettingRows.find(([setting]) => settingName(setting) === member)?.[0] ?? member

/** All settings of a field; those that the part does not have are not set. */
function infoOf(part: FieldPart, { ids }: Doing): Partial<FieldInfo> {
  const settings = typeSettingRows.flatMap(([setting, { holds }]) => {
    if (holds === 'options') return []
    const value = part[settingName(setting)]
    const sent = value !== undefined && holds === 'id' ? ids.of('table', String(value)) : value
    return [[setting, sent ?? unset[setting as keyof typeof unset]]]
  })
  return {
    title: part.name,
    typeName: part.type,
    required: part.required === true,
    unique: part.unique === true,
    defaultValue: part.default ?? '',
    hint: part.hint ?? '',
    section: part.section ?? '',
    ...Object.fromEntries(settings),
  }
}
