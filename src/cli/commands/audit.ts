import { check } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { walkRows } from '../../store/ground/list-rows.ts'
import { auditEntries, type AuditEntry } from '../../store/people/audit.ts'
import { command, jsonOption, showPages, text, type Context } from '../contract/command.ts'
import { findUser } from '../contract/find-user.ts'

/** Rows read at once. */
const PAGE = 500

const rowOf = ({ id, time, userId, address, action, subject, detail }: AuditEntry) => ({
  id,
  time,
  user: userId,
  address,
  action,
  subject,
  detail,
})

async function* listed(context: Context): AsyncGenerator<ReturnType<typeof rowOf>[]> {
  const { store, by } = context
  const [login, action, since] = [text(context, 'login'), text(context, 'action'), text(context, 'since')]
  const terms = [
    ...(login === undefined ? [] : [`eq(userId,${(await findUser(store, login)).id})`]),
    ...(action === undefined ? [] : [`eq(action,${quoted(action)})`]),
    ...(since === undefined ? [] : [`gte(time,${quoted(since)})`]),
  ]
  const wanted = terms.length > 1 ? `and(${terms.join(',')})` : terms[0]
  const filter = wanted === undefined ? undefined : check(parse(wanted), { attributes: auditEntries.attributes, context: store.context })
  for await (const page of walkRows(store, auditEntries, by, filter, PAGE)) yield page.map(rowOf)
}

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

export const listAudit = command({
  name: 'audit',
  says: 'Lists sign-ins and administrative acts, the oldest first.',
  args: [],
  options: [
    { flags: '--login <login>', says: 'only what this user did' },
    { flags: '--action <action>', says: 'only this action, such as sign_in_failed' },
    { flags: '--since <time>', says: 'only from this time on, such as 2026-01-31' },
    jsonOption,
  ],
  begins: false,
  async run(context) {
    await showPages(context, listed(context))
    return 0
  },
})
