import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { servedProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'

describe('commands for tables, people and the trash, while the server runs', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
  })
  after(() => program.remove())

  const rows = async (...args: string[]) => JSON.parse(await program.ok(...args, '--json')) as Record<string, unknown>[]
  const record = (attributes: object) => server.call(token, 'POST', 'data1', { data: { type: 'data1', attributes } })

  it('table and field: made, listed, shown, and used with the next request', async () => {
    assert.equal(await program.ok('table', 'create', 'Plants'), '1\n')
    assert.equal(await program.ok('field', 'create', 'plants', 'Name', 'text', '--required', '--unique'), 'f1\n')
    assert.equal(
      await program.ok('field', 'create', '1', 'Kind', 'list', '--option', 'Tree', '--option', 'Herb', '--default', 'Herb'),
      'f2\n',
    )
    assert.equal(await program.ok('field', 'create', '1', 'Height', 'decimal', '--scale', '3'), 'f3\n')
    assert.equal(await program.ok('field', 'create', '1', 'Parent', 'reference', '--reference', 'Plants'), 'f4\n')
    const { status, body } = await record({ f1: 'Oak', f2: 'Tree', f3: '12.5' })
    assert.equal(status, 201)
    assert.deepEqual([body.data.attributes.f3, body.data.attributes.f4], ['12.500', '0'])
    assert.equal((await record({ f1: 'oak' })).status, 409)
    assert.equal((await record({ f1: 'Mint' })).body.data.attributes.f2, 'Herb')
    assert.deepEqual(await rows('table', 'list'), [{ id: 1, name: 'Plants', fields: 4, records: 2 }])
    assert.deepEqual(await rows('table', 'show', 'Plants'), [
      { attribute: 'f1', name: 'Name', type: 'text', required: 'yes', unique: 'yes', more: '' },
      { attribute: 'f2', name: 'Kind', type: 'list', required: '', unique: '', more: 'Tree, Herb' },
      { attribute: 'f3', name: 'Height', type: 'decimal', required: '', unique: '', more: '' },
      { attribute: 'f4', name: 'Parent', type: 'reference', required: '', unique: '', more: 'table 1' },
    ])
    assert.equal(await program.ok('table', 'list'), ['id  name    fields  records', '1   Plants  4       2', ''].join('\n'))
  })

  it('what cannot be made is refused: unknown types, fields and tables, and lists without options', async () => {
    const typed: [string[], number, RegExp][] = [
      [['field', 'create', 'Plants', 'X', 'colour'], 2, /There is no field type 'colour'\. Types: text, /],
      [['field', 'create', 'Nowhere', 'X', 'text'], 2, /There is no table 'Nowhere'/],
      [['field', 'create', 'Plants', 'X', 'list'], 1, /option/],
      [['field', 'create', 'Plants', 'X', 'reference'], 1, /reference_table_id|table/],
      [['field', 'delete', 'Name'], 2, /'Name' is not the name of a field, such as f12\./],
      [['table', 'show', '99'], 2, /There is no table '99'\./],
    ]
    for (const [args, wanted, says] of typed) {
      const { code, err } = await program.run(...args)
      assert.match(err, says)
      assert.equal(code, wanted, `${args.join(' ')}: ${err}`)
    }
  })

  it('trash: records, fields and tables are listed, restored and erased', async () => {
    assert.equal((await server.call(token, 'DELETE', 'data1/1')).status, 200)
    await program.ok('field', 'delete', 'f3')
    assert.equal((await server.call(token, 'GET', 'data1/2')).body.data.attributes.f3, undefined)
    assert.deepEqual(
      (await rows('trash', 'list')).map(({ id, kind, table, item, title }) => [id, kind, table, item, title]),
      [
        [1, 'record', 1, 1, 'Oak'],
        [2, 'field', 1, 3, 'Height'],
      ],
    )
    await program.ok('trash', 'restore', '2')
    await program.ok('trash', 'restore', '1')
    assert.equal((await server.call(token, 'GET', 'data1/1')).body.data.attributes.f3, '12.500')
    await program.ok('table', 'delete', 'Plants')
    assert.equal((await server.call(token, 'GET', 'data1')).status, 404)
    await program.ok('trash', 'restore', '3')
    assert.equal((await server.call(token, 'GET', 'data1')).body.meta.total, 2)
    await server.call(token, 'DELETE', 'data1/2')
    await program.ok('trash', 'erase', '4')
    assert.deepEqual(await rows('trash', 'list'), [])
    assert.equal(await program.ok('trash', 'purge'), '0 erased, 0 unused files removed\n')
    assert.equal((await program.run('trash', 'list')).err, 'Nothing there.\n')
  })

  it('user: made with a password of their own or a generated one, which opens the door', async () => {
    const made = await program.run('user', 'create', 'ann', '--name', 'Ann Lee', '--email', 'ann@a.example', '--group', '2')
    assert.deepEqual([made.code, made.err], [0, 'User 2 created.\n'])
    const first = made.out.trim()
    assert.match(first, /^[A-Za-z0-9]{16}$/)
    assert.equal((await program.run('user', 'create', 'bob', '--password', 'a long secret')).out, '')
    const signIn = (login: string, password: string) =>
      server.call('', 'POST', 'token', { data: { type: 'token', attributes: { login, password } } })
    assert.equal((await signIn('bob', 'a long secret')).status, 201)
    const { body } = await signIn('ann', first)
    const signedIn = body.data.attributes.token
    assert.equal((await server.call(signedIn, 'GET', 'user')).body.meta.total, 3)
    const second = (await program.ok('user', 'passwd', 'ann')).trim()
    assert.equal((await server.call(signedIn, 'GET', 'user')).status, 401)
    assert.equal((await signIn('ann', first)).status, 401)
    assert.equal((await signIn('ann', second)).status, 201)
    const code = (await program.ok('user', 'invite', 'ann')).trim()
    assert.match(code, /^\S{16,}$/)
    assert.deepEqual(await rows('user', 'list'), [
      { id: 1, login: 'admin', name: 'Administrator', email: '', group: 1, archived: 'no' },
      { id: 2, login: 'ann', name: 'Ann Lee', email: 'ann@a.example', group: 2, archived: 'no' },
      { id: 3, login: 'bob', name: '', email: '', group: 3, archived: 'no' },
    ])
  })

  it('user archive shuts out at once, and the last administrator stays', async () => {
    const anns = await program.token('ann')
    assert.equal((await server.call(anns, 'GET', 'user')).status, 200)
    await program.ok('user', 'archive', 'ann')
    assert.equal((await server.call(anns, 'GET', 'user')).status, 401)
    const { code, err } = await program.run('token', 'create', '--login', 'ann')
    assert.deepEqual([code, err], [2, "kartoteka: The user 'ann' is archived, so a token would not work.\n"])
    assert.equal((await program.run('user', 'archive', 'admin')).code, 1)
    assert.equal((await program.run('user', 'create', 'ann')).code, 1)
  })
})
