import { useQuery } from '@tanstack/react-query'
import type { Resource } from '../api/client.ts'
import { allFields, groups, tables, users } from '../api/queries.ts'
import { rules } from '../api/people.ts'
import type { Delivered, Delivery } from '../api/webhooks.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'

/* What a delivery told its receiver, in words for people. */

const did: Readonly<Record<string, Message>> = {
  create: 'toldCreate',
  update: 'toldUpdate',
  delete: 'toldDelete',
  restore: 'toldRestore',
  convert: 'toldConvert',
  erase: 'toldErase',
}

/** Kinds with a name of their own: their word, and the attribute with the name. */
const kinds: Readonly<Record<string, readonly [word: Message, attribute: string]>> = {
  user: ['kindUser', 'fio'],
  group: ['kindGroup', 'group_name'],
  category: ['kindCategory', 'category_name'],
  view: ['kindView', 'view_name'],
  filter: ['kindFilter', 'filter_name'],
  index: ['kindIndex', 'attribute'],
  webhook: ['kindWebhook', 'url'],
}

export function useDelivered(): (delivery: Delivery, change: Delivered | undefined) => string {
  const say = useWords()
  const known: Readonly<Record<string, readonly Resource[]>> = {
    table: useQuery(tables).data?.data ?? [],
    field: useQuery(allFields).data?.data ?? [],
    user: useQuery(users).data?.data ?? [],
    group: useQuery(groups).data?.data ?? [],
    access: useQuery(rules).data ?? [],
  }
  /** Of an attribute of what was changed: as it is now, or as the change tells it. */
  const read = (type: string, { record_id: id, changes }: Delivered, attribute: string): string => {
    const told = changes?.[attribute]
    const now = known[type]?.find((one) => one.id === String(id))?.attributes[attribute]
    return String(now ?? told?.to ?? told?.from ?? '')
  }
  const tableNamed = (id: string): string => String(known['table']!.find((one) => one.id === id)?.attributes['table_name'] ?? `#${id}`)
  function ofStructure(change: Delivered): string {
    const type = change.resource_type
    const named = (attribute: string) => read(type, change, attribute) || `#${change.record_id}`
    if (type === 'table') return say('deliveryTable', { name: named('table_name') })
    if (type === 'field') return say('deliveryField', { name: named('field_name'), table: tableNamed(read(type, change, 'table_id')) })
    if (type === 'access') return say('deliveryRule', { table: tableNamed(read(type, change, 'table_id')) })
    const [word, attribute] = kinds[type] ?? []
    return say('deliveryOther', { kind: word ? say(word) : type, name: attribute ? named(attribute) : `#${change.record_id}` })
  }
  return (delivery, change) => {
    if (delivery.change_id === 0) return say('deliveryTest')
    const what =
      delivery.table_id !== 0
        ? say('deliveryRecord', { table: tableNamed(String(delivery.table_id)), id: delivery.record_id })
        : change
          ? ofStructure(change)
          : say('deliveryStructure')
    const word = change && did[change.action]
    return word ? say('deliveryDid', { what, did: say(word) }) : what
  }
}
