import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Command } from '../../src/cli/contract/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { runCommand } from '../../src/cli/run-command.ts'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'
import { readConfig } from '../../src/config.ts'
import { Failure } from '../../src/errors.ts'
import { standingAt } from '../../src/store/open.ts'
import { openPostgres } from '../../src/store/postgres/database.ts'
import { cluster, distribution, scratchDatabase } from '../support/scratch-database.ts'
import { scratchProgram } from '../support/scratch-program.ts'

/** What is typed, and whether that begins an installation where none is. A new command has a row here. */
const table: readonly [words: string, options: Readonly<Record<string, string | boolean>>, begins: boolean][] = [
  ['demo', { records: '2' }, true],
  ['import', { create: true }, true],
  ['import', { create: true, dryRun: true }, false],
  ['import', {}, false],
  ['export', { format: 'csv' }, false],
  ['table list', {}, false],
  ['table show', {}, false],
  ['table create', {}, false],
  ['table copy', {}, false],
  ['table delete', {}, false],
  ['field create', {}, false],
  ['field delete', {}, false],
  ['user list', {}, false],
  ['user create', {}, false],
  ['user passwd', {}, false],
  ['user archive', {}, false],
  ['user invite', {}, false],
  ['token create', { login: 'admin' }, false],
  ['token list', {}, false],
  ['token revoke', {}, false],
  ['group list', {}, false],
  ['group create', {}, false],
  ['group rename', {}, false],
  ['group delete', {}, false],
  ['access list', {}, false],
  ['access set', {}, false],
  ['access remove', {}, false],
  ['access explain', {}, false],
  ['filter list', {}, false],
  ['filter add', {}, false],
  ['filter set', {}, false],
  ['filter remove', {}, false],
  ['audit', {}, false],
  ['trash list', {}, false],
  ['trash restore', {}, false],
  ['trash erase', {}, false],
  ['trash purge', {}, false],
  ['history', {}, false],
  ['types', {}, false],
  ['structure export', {}, false],
  ['structure diff', {}, false],
  ['structure apply', {}, false],
  ['undo', {}, false],
  ['job list', {}, false],
  ['job cancel', {}, false],
  ['webhook list', {}, false],
  ['webhook show', {}, false],
  ['webhook add', {}, false],
  ['webhook remove', {}, false],
  ['webhook test', {}, false],
  ['webhook deliveries', {}, false],
  ['webhook replay', {}, false],
  ['changes', {}, false],
  ['backup', {}, false],
  ['check', {}, false],
]

describe('where no installation is', () => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'kartoteka-none-'))
    writeFileSync(join(root, 'goods.csv'), 'Name\nOne\n')
  })
  after(() => rmSync(root, { recursive: true }))

  it('the table of this test names every command', () => {
    assert.deepEqual([...new Set(table.map(([words]) => words))].sort(), commands.map(({ name }) => name).sort())
  })

  for (const [i, [words, options, begins]] of table.entries())
    it(`${[words, ...Object.keys(options).map((name) => `--${name}`)].join(' ')} ${begins ? 'begins one, and says so' : 'refuses, and makes nothing'}`, async () => {
      const data = join(root, `data${i}`)
      const database = cluster === undefined ? undefined : await scratchDatabase()
      const place = database ? new URL(database.url).host : data
      const config = readConfig({
        data,
        ...(database && { databaseUrl: database.url, distribution }),
      })
      const notes: string[] = []
      try {
        const command = commands.find(({ name }) => name === words)!
        const typed = runHere(command, options, config, notes)
        if (begins) {
          assert.equal(await typed, 0)
          assert.match(notes[0]!, /^Created a new installation in /)
          assert.ok(notes[0]!.includes(place), notes[0])
        } else {
          await assert.rejects(typed, (error) => {
            assert.ok(error instanceof Failure)
            assert.equal(error.code, 'installation.missing')
            assert.ok(error.message.includes(place), error.message)
            assert.match(error.message, database ? /KARTOTEKA_DATABASE_URL/ : /--data or KARTOTEKA_DATA/)
            return true
          })
          assert.ok(!existsSync(data))
          mkdirSync(data)
          await assert.rejects(runHere(command, options, config, notes), { code: 'installation.missing' })
          assert.deepEqual(readdirSync(data), [], 'an empty directory stays empty')
          if (database) assert.equal(await tablesIn(database.url), 0)
        }
      } finally {
        await database?.drop()
      }
    })

  async function runHere(
    command: Command,
    options: Readonly<Record<string, string | boolean>>,
    config: ReturnType<typeof readConfig>,
    notes: string[],
  ): Promise<number> {
    const args = command.args.map(({ name, file, path }): [string, string] => [
      name,
      file ? join(root, 'goods.csv') : path ? join(root, 'copy') : '1',
    ])
    const defaults = command.options.flatMap(({ flags, byDefault, many }): [string, string | string[]][] => {
      const name = /--([\w-]+)/.exec(flags)![1]!
      return many ? [[name, []]] : byDefault === undefined ? [] : [[name, byDefault]]
    })
    const output: Terminal = {
      line: async () => {},
      note: async (text) => void notes.push(text),
      progress: async () => {},
      append: async () => {},
      appendBytes: async () => {},
      keepFiles: () => {},
      close: async () => {},
    }
    const call = {
      name: command.name,
      args: Object.fromEntries(args),
      options: { ...Object.fromEntries(defaults), ...options },
      inputSize: 0,
    }
    return runCommand(config, call, command, output)
  }

  async function tablesIn(url: string): Promise<number> {
    const db = openPostgres(url)
    try {
      const { isThere, isComing } = await standingAt(db)
      const [rows] = await db.read(db.dialect.tablesAmong(['migrations', 'meta', 'users']))
      return Number(isThere) + Number(isComing) + rows!.length
    } finally {
      await db.close()
    }
  }

  it('a backup typed in another folder fails with 1 and leaves the folder as it was; serve says what it begins', async () => {
    const program = scratchProgram({ KARTOTEKA_DATA: '' })
    try {
      const elsewhere = { env: { KARTOTEKA_DATA: './data' } }
      const { code, out, err } = await program.start(['backup', 'copy'], elsewhere).finished
      assert.deepEqual([code, out], [1, ''])
      assert.equal(
        err,
        `kartoteka: There is no installation in '${program.at('data')}'. Name the right place with --data or KARTOTEKA_DATA.\n`,
      )
      assert.deepEqual([existsSync(program.at('data')), existsSync(program.at('copy'))], [false, false])
      for (const args of [
        ['restore', 'copy'],
        ['migrate-store', '--from', 'sqlite', '--to', 'postgres://nobody@127.0.0.1:9/none'],
        ['reopen-store', 'sqlite'],
        ['copy-files', '--to', 'bucket'],
        ['convert-phones', '--country', 'RU'],
      ]) {
        assert.equal((await program.start(args, elsewhere).finished).code, 1, args.join(' '))
        assert.equal(existsSync(program.at('data')), false, args.join(' '))
      }
      const server = await program.serve(elsewhere)
      assert.match(server.said.out, /^Created a new installation in \.\/data\.\n/)
      await server.stop()
      const second = await program.serve(elsewhere)
      assert.doesNotMatch(second.said.out, /Begun/)
      await second.stop()
    } finally {
      await program.remove()
    }
  })
})
