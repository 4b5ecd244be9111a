import { ensureFirstAdministrator, firstPasswordShown } from '../../store/people/first-administrator.ts'
import { allRows, committed, findRow } from '../../store/ground/relation.ts'
import { invite } from '../../store/people/invitations.ts'
import { randomText } from '../../store/ground/random-text.ts'
import { tokens } from '../../store/people/token-rows.ts'
import { issueToken, revokeToken } from '../../store/people/tokens.ts'
import { archiveUser, createUser, setPassword, users } from '../../store/people/users.ts'
import { command, count, idOf, jsonOption, show, text, type Context } from '../contract/command.ts'
import { UsageError } from '../explain/explain.ts'
import { findGroup } from '../contract/find-group.ts'
import { findTable } from '../contract/find-table.ts'
import { findUser } from '../contract/find-user.ts'

const PASSWORD_LENGTH = 16

/** The first command on a new installation makes the first administrator too, and prints their password. */
async function mustHavePeople({ store, output }: Context): Promise<void> {
  const first = await ensureFirstAdministrator(store)
  if (!first) return
  await output.note(`Created the administrator '${first.login}' with the password '${first.password}'.`)
  await firstPasswordShown(store)
}

const login = { name: 'login', says: 'login of the user' }

export const listUsers = command({
  name: 'user list',
  says: 'Lists all users.',
  args: [],
  options: [jsonOption],
  begins: false,
  async run(context) {
    const rows = await allRows(committed(context.store), users)
    await show(
      context,
      rows.map(({ id, login: name, fullName, email, groupId, archived }) => ({
        id,
        login: name,
        name: fullName,
        email,
        group: groupId,
        archived: archived ? 'yes' : 'no',
      })),
    )
    return 0
  },
})

export const createUserCommand = command({
  name: 'user create',
  says: 'Creates a user. Prints a generated password if none is given.',
  args: [login],
  options: [
    { flags: '--name <name>', says: 'full name', byDefault: '' },
    { flags: '--email <address>', says: 'e-mail address', byDefault: '' },
    { flags: '--group <group>', says: '1 administrators, 2 managers, 3 clients, or another group: its id or name', byDefault: '3' },
    { flags: '--password <password>', says: 'password; default: a generated one' },
  ],
  begins: false,
  async run(context) {
    await mustHavePeople(context)
    const given = text(context, 'password')
    const password = given ?? randomText(context.store, PASSWORD_LENGTH)
    const id = await createUser(context.store, context.by, {
      login: context.args['login']!,
      fullName: text(context, 'name')!,
      email: text(context, 'email')!,
      groupId: (await findGroup(context.store, text(context, 'group')!)).id,
      password,
    })
    await context.output.note(`User ${id} created.`)
    if (given === undefined) await context.output.line(password)
    return 0
  },
})

export const changePassword = command({
  name: 'user passwd',
  says: 'Sets a new password. Prints a generated one if none is given.',
  args: [login],
  options: [{ flags: '--password <password>', says: 'password; default: a generated one' }],
  begins: false,
  async run(context) {
    const user = await findUser(context.store, context.args['login']!)
    const given = text(context, 'password')
    const password = given ?? randomText(context.store, PASSWORD_LENGTH)
    await setPassword(context.store, context.by, user.id, password)
    if (given === undefined) await context.output.line(password)
    return 0
  },
})

export const archiveUserCommand = command({
  name: 'user archive',
  says: 'Archives a user: their tokens end at once, their records stay.',
  args: [login],
  options: [],
  begins: false,
  async run(context) {
    await archiveUser(context.store, context.by, (await findUser(context.store, context.args['login']!)).id)
    return 0
  },
})

export const inviteUser = command({
  name: 'user invite',
  says: 'Prints a one-time code with which a user chooses a password.',
  args: [login],
  options: [],
  begins: false,
  async run(context) {
    const { code } = await invite(context.store, context.by, (await findUser(context.store, context.args['login']!)).id)
    await context.output.line(code)
    return 0
  },
})

export const createToken = command({
  name: 'token create',
  says: 'Creates an access token and prints it. Default: scope write, no expiry.',
  args: [],
  options: [
    { flags: '--login <login>', says: 'login of the user whose rights the token has', required: true },
    { flags: '--name <name>', says: 'name of the token, such as its purpose', byDefault: '' },
    { flags: '--scope <scope>', says: 'read or write', byDefault: 'write' },
    { flags: '--lifetime <seconds>', says: 'seconds until it expires; default: never' },
    { flags: '--table <table>', says: 'limit the token to this table', many: true },
  ],
  begins: false,
  async run(context) {
    await mustHavePeople(context)
    const scope = text(context, 'scope')!
    if (scope !== 'read' && scope !== 'write') throw new UsageError(`--scope takes read or write, not '${scope}'.`)
    const holder = await findUser(context.store, text(context, 'login')!)
    if (holder.archived) throw new UsageError(`The user '${holder.login}' is archived, so a token would not work.`)
    const lifetime = count(context, 'lifetime')
    const limited = (context.options['table'] as readonly string[] | undefined)?.map((named) => findTable(context.store, named).id)
    const { token } = await issueToken(context.store, context.by, {
      login: holder.login,
      title: text(context, 'name')!,
      scope,
      ...(lifetime !== undefined && { lifetime }),
      ...(limited && limited.length > 0 && { tables: limited }),
    })
    await context.output.line(token)
    return 0
  },
})

export const listTokens = command({
  name: 'token list',
  says: 'Lists the tokens of all users.',
  args: [],
  options: [jsonOption],
  begins: false,
  async run(context) {
    const rows = await allRows(committed(context.store), tokens)
    await show(
      context,
      rows.map(({ id, userId, title, scope, tables, expires, lastUsed }) => ({
        id,
        user: userId,
        name: title,
        scope,
        tables: tables?.join(' ') ?? '',
        expires,
        'last used': lastUsed,
      })),
    )
    return 0
  },
})

export const revokeTokenCommand = command({
  name: 'token revoke',
  says: 'Ends a token at once.',
  args: [{ name: 'id', says: 'id as `token list` shows it' }],
  options: [],
  begins: false,
  async run(context) {
    const row = await findRow(committed(context.store), tokens, idOf(context, 'id'))
    if (!row) throw new UsageError(`There is no token ${context.args['id']}.`)
    await revokeToken(context.store, { ...context.by, userId: row.userId }, row.id, context.by)
    return 0
  },
})
