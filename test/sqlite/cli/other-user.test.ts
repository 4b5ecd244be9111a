import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { scratchProgram, type ScratchProgram } from '../../support/scratch-program.ts'

/* Commands in a data directory of another user. Only root can make one. */

const OWNER = 54_321
const NEIGHBOUR = 54_322
const WHY = 'only root can become another user'
const isRoot = process.getuid?.() === 0

describe('a data directory of another user', () => {
  let program: ScratchProgram
  /** The same installation as its owner, and as somebody else, uses it. */
  let as: (uid: number, ...args: string[]) => ReturnType<ScratchProgram['run']>
  before(() => {
    program = scratchProgram()
    chmodSync(program.root, 0o755)
    as = (uid, ...args) =>
      program.start(args, { through: ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'] }).finished
  })
  after(() => program.remove())
  const strangers = () =>
    ['', ...readdirSync(program.data, { recursive: true, encoding: 'utf8' })].filter(
      (name) => statSync(join(program.data, name)).uid !== OWNER,
    )

  it('root who types a command becomes its owner first: nothing there is root’s', async (context) => {
    if (!isRoot) return context.skip(WHY)
    mkdirSync(program.data, { mode: 0o700 })
    chownSync(program.data, OWNER, OWNER)
    await program.ok('demo', '--records', '5')
    await program.ok('user', 'create', 'anna')
    await program.ok('backup', program.at('nowhere')).catch(({ message }) => assert.match(message, /is denied to the user #54321/))
    assert.deepEqual(strangers(), [])
    assert.equal((await as(OWNER, 'table', 'create', 'Ours')).code, 0)
  })

  it('files that root types are read and written as root, and none is begun without need', async (context) => {
    if (!isRoot) return context.skip(WHY)
    const mine = program.at('mine')
    mkdirSync(mine, { mode: 0o700 })
    const many = Array.from({ length: 3_000 }, (_, i) => `Name ${i}${i % 1_000 === 7 ? ',too many' : ''}`).join('\n')
    writeFileSync(join(mine, 'in.csv'), `Name\n${many}\n`, { mode: 0o600 })
    const imported = await program.run('import', 'Many', join(mine, 'in.csv'), '--create')
    assert.deepEqual([imported.code, imported.out], [1, '3000 lines read: 2997 imported, 3 bad\n'], imported.err)
    assert.equal(readFileSync(join(mine, 'in.csv.errors.csv'), 'utf8').split('\n').length, 5)
    await program.ok('export', 'Many', '--out', join(mine, 'out.csv'))
    assert.equal(readFileSync(join(mine, 'out.csv'), 'utf8').split('\n').length, 2_999)
    const written = statSync(join(mine, 'out.csv'))
    assert.deepEqual([written.uid, written.mode & 0o777], [0, 0o600])
    assert.equal((await program.run('export', 'Nothing', '--out', join(mine, 'never.csv'))).code, 2)
    await program.ok('import', 'Many', program.file('mine/good.csv', 'Name\nx\n'))
    const nowhere = await program.run('export', 'Many', '--out', join(mine, 'no', 'such.csv'))
    assert.equal(nowhere.code, 1)
    assert.match(nowhere.err, /no\/such\.csv' cannot be written: /)
    assert.deepEqual(readdirSync(mine).sort(), ['good.csv', 'in.csv', 'in.csv.errors.csv', 'out.csv'])
    assert.deepEqual(strangers(), [])
  })

  it('a server that root starts there is its owner’s, and so is what others have it do', async (context) => {
    if (!isRoot) return context.skip(WHY)
    const server = await program.serve()
    assert.equal(statSync(`/proc/${server.child.pid}`).uid, OWNER)
    await program.ok('table', 'create', 'By root')
    assert.equal((await as(OWNER, 'table', 'create', 'By its owner')).code, 0)
    const refused = await as(NEIGHBOUR, 'table', 'create', 'By a neighbour')
    assert.equal(refused.code, 1)
    await server.stop()
    assert.deepEqual(strangers(), [])
  })

  it('a restore by root into a new directory says how another user gets it', async (context) => {
    if (!isRoot) return context.skip(WHY)
    mkdirSync(program.at('backups'))
    chownSync(program.at('backups'), OWNER, OWNER)
    const copy = program.at('backups/copy')
    await program.ok('backup', copy)
    const last = async (data: string) => (await program.ok('restore', copy, '--data', data)).trimEnd().split('\n').at(-1)
    const made = program.at('made')
    const says = `${made} belongs to root, who has made it. If the service runs as another user, type: chown -R kartoteka: ${made}`
    assert.equal(await last(made), says)
    assert.equal(await last(program.at('backups/here')), `${program.at('backups/here')} belongs to root, who has made it. If the service runs as another user, type: chown -R '#54321': ${program.at('backups/here')}`) // prettier-ignore
    // What is there keeps its owner.
    const there = program.at('there')
    mkdirSync(there, { mode: 0o700 })
    chownSync(there, OWNER, OWNER)
    assert.equal(await last(there), `Restored 4 files into ${there}`)
  })

  it('another user, and a file of another user in it, are refused in a sentence that says what to do', async (context) => {
    if (!isRoot) return context.skip(WHY)
    for (const args of [['user', 'list'], ['serve'], ['restore', program.at('copy')]]) {
      const { code, err } = await as(NEIGHBOUR, ...args)
      assert.equal(code, 1)
      assert.equal(
        err,
        `kartoteka: The data directory '${program.data}' belongs to the user #54321. Type the command as that user: sudo -u '#54321' …\n`,
      )
    }
    chownSync(program.data, 0, 0)
    const { code: roots, err: told } = await as(OWNER, 'serve')
    chownSync(program.data, OWNER, OWNER)
    const wish = `Type the command as root; or, where the service runs as the user #54321, give the directory to that user, as root: chown -R '#54321': ${program.data}`
    assert.deepEqual([roots, told], [1, `kartoteka: The data directory '${program.data}' belongs to root. ${wish}\n`])
    const database = join(program.data, 'kartoteka.sqlite')
    chmodSync(database, 0o600)
    chownSync(database, 0, 0)
    for (const args of [['user', 'list'], ['serve'], ['check']]) {
      const { code, err } = await as(OWNER, ...args)
      assert.equal(code, 1)
      assert.equal(
        err,
        `kartoteka: '${database}' belongs to the user root, and #54321 cannot write it. As root, run: chown -R '#54321': ${program.data}\n`,
      )
    }
  })
})
