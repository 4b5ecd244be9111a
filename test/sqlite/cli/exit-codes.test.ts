import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { commands } from '../../../src/cli/commands.ts'
import { settings } from '../../../src/config.ts'
import { scratchProgram, type ScratchProgram } from '../../support/scratch-program.ts'

describe('exit codes and help', () => {
  let program: ScratchProgram
  before(async () => {
    program = scratchProgram()
    await program.begin()
  })
  after(() => program.remove())

  it('what is typed wrong ends with 2, a sentence on stderr, and nothing on stdout', async () => {
    const typed: [args: string[], says: RegExp, env?: Record<string, string>][] = [
      [['tabel', 'list'], /unknown command 'tabel'\n\(Did you mean table\?\)/],
      [['table', 'lst'], /unknown command 'lst'/],
      [['table'], /^Usage: kartoteka table/],
      [[], /^$/],
      [['export'], /missing required argument 'table'/],
      [['import', 'People'], /missing required argument 'file'/],
      [['token', 'create'], /required option '--login <login>' not specified/],
      [['export', 'a', 'b'], /too many arguments/],
      [['check', '--quietly'], /unknown option '--quietly'/],
      [['token', 'create', '--login', 'admin', '--scope', 'all'], /^kartoteka: --scope takes read or write, not 'all'\.$/m],
      [['token', 'create', '--login', 'nobody'], /^kartoteka: There is no user 'nobody'\.$/m],
      [['trash', 'restore', 'one'], /^kartoteka: 'one' is not an id\.$/m],
      [['job', 'cancel', '7'], /^kartoteka: There is no job 7\.$/m],
      [['trash', 'erase', '7'], /^kartoteka: The trash has no entry 7\.$/m],
      [['serve', '--port', 'http'], /^kartoteka: --port is 'http'; it must be a whole number from 0 to 65535\.$/m],
      [['serve'], /^kartoteka: PORT is '70000'; it must be /m, { PORT: '70000' }],
      [['table', 'list'], /^kartoteka: KARTOTEKA_TRASH_DAYS is 'ten'; it must be /m, { KARTOTEKA_TRASH_DAYS: 'ten' }],
      [['check'], /^kartoteka: KARTOTEKA_TIME_ZONE is 'Mars'; it must be the name of a time zone/m, { KARTOTEKA_TIME_ZONE: 'Mars' }],
      [['serve'], /^kartoteka: There is no setting KARTOTEKA_DATUM\. Did you mean KARTOTEKA_DATA\?$/m, { KARTOTEKA_DATUM: 'x' }],
      [['table', 'list'], /^kartoteka: There is no setting KARTOTEKA_X\. Known: KARTOTEKA_/m, { KARTOTEKA_X: '' }],
    ]
    for (const [args, says, env = {}] of typed) {
      const { code, out, err } = await program.start(args, { env }).finished
      assert.match(err, says, args.join(' '))
      assert.equal(code, 2, `${args.join(' ')}: ${err}`)
      assert.doesNotMatch(err, /\n {4}at /)
      if (args.length > 0) assert.equal(out, '')
    }
  })

  it('what fails ends with 1', async () => {
    const cases: [args: string[], says: RegExp][] = [
      [['restore', program.at('nothing')], /There is no complete backup in/],
      [['serve', '--data', program.file('plain.txt', '')], /plain\.txt' cannot be a directory: a file is in its place\./],
      [['migrate-store', '--from', 'sqlite', '--to', 'postgres://k@127.0.0.1:99999/k'], /The database could not be opened: Invalid URL$/m],
      [['user', 'archive', 'admin'], /One administrator who is not archived must remain\./],
    ]
    await program.token()
    for (const [args, says] of cases) {
      const { code, out, err } = await program.run(...args)
      assert.match(err, says)
      assert.deepEqual([code, out], [1, ''], args.join(' '))
      assert.doesNotMatch(err, /\n {4}at /)
    }
  })

  it('asking for help or the version ends with 0, and begins no data directory', async () => {
    const elsewhere = { env: { KARTOTEKA_DATA: program.at('untouched') } }
    for (const args of [['--help'], ['help'], ['help', 'import'], ['table', '--help'], ['token', 'create', '--help'], ['--version']]) {
      const { code, out, err } = await program.start(args, elsewhere).finished
      assert.deepEqual([code, err], [0, ''], args.join(' '))
      assert.ok(out.length > 0)
    }
    assert.ok(!existsSync(program.at('untouched')))
  })

  it('the help of serve names every setting with its variable and default', async () => {
    const help = (await program.ok('serve', '--help')).replace(/\s+/g, ' ')
    for (const { flag, variable, byDefault, help: says } of Object.values(settings))
      assert.ok(help.includes(`${says} (${variable}${byDefault === '' ? '' : `, default ${byDefault}`})`), flag)
  })

  it('the help of a command names all of its words; none is made up by a rule', async () => {
    const top = await program.ok('--help')
    for (const { name, says, args, options } of commands) {
      assert.ok(top.includes(`\n  ${name.split(' ')[0]!} `), name)
      assert.match(says, /^[A-Z][^\n]*\.$/, name)
      for (const one of [...args, ...options]) assert.match(one.says, /[^. ]$/, `${name}: ${one.says}`)
    }
    const help = await program.ok('field', 'create', '--help')
    for (const word of [
      '<table>',
      '<name>',
      '<type>',
      '--required',
      '--unique',
      '--default <value>',
      '(may be repeated)',
      'KARTOTEKA_DATA',
    ])
      assert.ok(help.includes(word), word)
    assert.doesNotMatch(help + top, /default: /)
  })
})
