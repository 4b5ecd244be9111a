import type { Received } from '../fuzz/wire.ts'
import { CANARY } from './worlds.ts'

/* Whether two answers tell the same. */

/** Headers that no caller reads anything from; all others count. */
const beside = new Set(['date', 'connection', 'keep-alive', 'x-request-id'])

/**
 * An answer without what differs between any two installations: ids of errors, tokens, and of an entity tag all but the version
 * (the rest names the installation and the structure's own version). `masked`: without the version too, which counts changes of hidden fields.
 */
export function plainText({ status, headers, body }: Received, masked = false): string {
  const shown = [...headers].filter(([name]) => !beside.has(name)).sort()
  return `${status}\n${shown.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${body.toString('utf8')}`
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<error>')
    .replace(/"(\d+)-[\w-]+-[\w-]{10}"/g, masked ? '"…"' : '"$1-…"')
    .replace(/kartoteka_session=\w{48}/g, 'kartoteka_session=…')
    .replace(/"token":"\w{48}"/g, '"token":"…"')
}

/** The documented exceptions: what a request may learn of what is hidden from it. Undefined: none of them. */
export function exception(plain: Received, hiding: Received): string | undefined {
  const isRefused = hiding.status === 409 && hiding.body.includes('trash.conflict') && plain.status < 300
  if (isRefused || leavesSome(plain, hiding)) return 'a record whose hidden unique value is taken is not restored'
  const taken = hiding.status === 409 && hiding.body.includes('field.not_unique') && !hiding.body.includes('"record_id"')
  // Uniqueness is asked before the write filter.
  const isRefusedAnyway = plain.status === 403 && plain.body.includes('access.denied')
  return taken && (plain.status < 300 || isRefusedAnyway) ? 'a unique value of a hidden record is refused' : undefined
}

/** Whether an undo left some records in the trash that the other one restored, and says so, and did the same otherwise. */
function leavesSome(plain: Received, hiding: Received): boolean {
  const [whole, part] = [plain, hiding].map(undone)
  const left = whole && part ? part.conflicts - whole.conflicts : 0
  return left > 0 && part!.records + left === whole!.records && part!.listed.some(({ code }) => code === 'trash.conflict')
}

interface Undone {
  readonly records: number
  readonly conflicts: number
  readonly listed: readonly { readonly code: string }[]
}

/** What the answer to the undo of a batch says; undefined: it is another answer. */
function undone({ status, body }: Received): Undone | undefined {
  if (status !== 200 || !body.includes('"conflicts":')) return undefined
  const { meta } = JSON.parse(body.toString('utf8')) as { meta?: Partial<Undone> }
  return meta?.listed && meta.conflicts !== undefined && meta.records !== undefined ? (meta as Undone) : undefined
}

/** Whether an answer holds a hidden value: no request does. */
export const leaks = ({ body, headers }: Received): boolean =>
  body.includes(CANARY) || [...headers.values()].some((value) => value.includes(CANARY))
