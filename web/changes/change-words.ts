import type { Batch } from '../api/batches.ts'
import type { Resource } from '../api/client.ts'
import type { Message } from '../i18n/messages.ts'

const acts: Readonly<Record<Batch['actions'][number], Message>> = {
  create: 'changesCreate',
  update: 'changesUpdate',
  delete: 'changesDelete',
  restore: 'changesRestore',
  convert: 'changesConvert',
  erase: 'changesErase',
}

/** What was done to the records: where it was several things, only that they changed. */
export function actWord(actions: Batch['actions']): Message {
  const [first, ...others] = actions
  if (first !== undefined && others.length === 0) return acts[first]
  return actions.every((one) => one === 'create' || one === 'update') ? 'changesUpsert' : 'changesUpdate'
}

/** By which way it came, where that was not a page. */
export const wayWords: Readonly<Partial<Record<Batch['via'], Message>>> = {
  import: 'changesByImport',
  cli: 'auditCommandLine',
  service: 'theService',
}

/** What cannot be taken back: values before were of another type, and what was erased is gone. */
export const isForGood = ({ via, actions }: Batch): boolean =>
  via === 'conversion' || actions.every((one) => one === 'convert' || one === 'erase')

/** Whether the rights of the person let them take back something of it in a table. */
export const mayTurnIn = ({ tables, actions }: Batch, { id, meta }: Resource): boolean =>
  tables.includes(Number(id)) && actions.some((one) => meta?.access?.[one === 'update' ? 'update' : 'delete'] === true)
