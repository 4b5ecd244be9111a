import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { scratchProgram, type ScratchProgram } from '../../support/scratch-program.ts'

/* A socket in the data directory that is not that of a server of Kartoteka. */

const STRANGER = 54_321
const isRoot = process.getuid?.() === 0

describe('a socket that somebody else has put into the data directory', () => {
  let program: ScratchProgram
  let fake: Server
  let asked = 0
  let says: readonly unknown[] = []
  beforeEach(async () => {
    program = scratchProgram()
    mkdirSync(program.data)
    asked = 0
    fake = createServer((incoming, response) => {
      asked++
      incoming.resume().on('end', () => response.end(says.map((event) => `${JSON.stringify(event)}\n`).join('')))
    })
    fake.listen(join(program.data, 'kartoteka.sock'))
    await once(fake, 'listening')
  })
  afterEach(async () => {
    fake.close()
    await program.remove()
  })

  it('names no file that a command writes', async () => {
    const target = program.at('chosen-by-the-server')
    for (const [args, append] of [
      [
        ['user', 'list'],
        [target, 'evil'],
      ],
      [
        ['export', 'Table'],
        [target, 'evil'],
      ],
      [
        ['export', 'Table', '--out', program.at('typed.csv')],
        [target, 'evil'],
      ],
      [
        ['export', 'Table'],
        ['errors', 'evil'],
      ],
      [
        ['import', 'Table', program.file('in.csv', 'a\n1\n')],
        ['out', 'evil'],
      ],
    ] as const) {
      says = [{ say: 'append', with: append }, { exit: 0 }]
      const { code, out, err } = await program.run(...args)
      assert.deepEqual([code, out, existsSync(target)], [1, '', false], args.join(' '))
      assert.equal(err, 'kartoteka: The running server tried to write a file that the command did not name.\n')
    }
    assert.ok(asked > 0)
  })

  it('writes into the file that was typed and no other', async () => {
    says = [{ say: 'append', with: ['out', 'some,records\n'] }, { exit: 0 }]
    assert.equal((await program.run('export', 'Table', '--out', 'typed.csv')).code, 0)
    assert.equal(readFileSync(program.at('typed.csv'), 'utf8'), 'some,records\n')
  })

  it('makes the terminal obey nothing, and nothing of it ends in a stack', async () => {
    says = [
      { say: 'line', with: ['\u001b]0;title\u0007 and \u202e over\u009b'] },
      { say: 'note', with: ['\u001b[2J'] },
      { refused: { text: 'no\u001b[1A\nkartoteka: all is well', usage: false } },
    ]
    const { code, out, err } = await program.run('user', 'list')
    assert.equal(out, '\\u001b]0;title\\u0007 and \\u202e over\\u009b\n')
    assert.equal(err, '\\u001b[2J\nkartoteka: no\\u001b[1A\\u000akartoteka: all is well\n')
    assert.equal(code, 1)
    for (const event of [
      { say: 'close', with: [] },
      { say: 'constructor', with: [] },
      { exit: 'now' },
      7,
      null,
      { say: 'line', with: 1 },
    ]) {
      says = [event]
      const answered = await program.run('user', 'list')
      assert.deepEqual([answered.code, answered.out], [1, ''], JSON.stringify(event))
      assert.match(answered.err, /^kartoteka: The running server gave an unexpected answer/)
    }
  })

  it('is refused where it belongs to another user than the directory: nothing is sent', async (context) => {
    if (!isRoot) return context.skip('only root can make a socket of another user')
    chownSync(join(program.data, 'kartoteka.sock'), STRANGER, STRANGER)
    for (const args of [
      ['user', 'list'],
      ['user', 'passwd', 'admin', '--password', 'secret words'],
    ]) {
      const { code, out, err } = await program.run(...args)
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, /^kartoteka: '\S+kartoteka\.sock' was made by the user #54321, and the data directory belongs to root: /)
    }
    // An operator who is root may use the socket of the directory's owner.
    chownSync(program.data, STRANGER, STRANGER)
    says = [{ say: 'line', with: ['here'] }, { exit: 0 }]
    assert.equal(asked, 0)
    assert.deepEqual(await program.run('user', 'list'), { code: 0, signal: null, out: 'here\n', err: '' })
  })

  it('is refused where it is a link or a file', async () => {
    const other = scratchProgram()
    mkdirSync(other.data)
    symlinkSync(join(program.data, 'kartoteka.sock'), join(other.data, 'kartoteka.sock'))
    says = [{ exit: 0 }]
    assert.match((await other.run('user', 'list')).err, /is not the socket of a server\. Remove it\.\n$/)
    const third = scratchProgram()
    mkdirSync(third.data)
    writeFileSync(join(third.data, 'kartoteka.sock'), '')
    assert.match((await third.run('user', 'list')).err, /is not the socket of a server\. Remove it\.\n$/)
    assert.equal(asked, 0)
    await other.remove()
    await third.remove()
  })
})

describe('a data directory whose path is too long for a socket', () => {
  it('has its socket in it all the same, and commands find the server', async () => {
    const program = scratchProgram()
    const data = program.at(join('long'.repeat(30), 'deep'.repeat(30), 'data'))
    mkdirSync(data, { recursive: true })
    const long = { env: { KARTOTEKA_DATA: data } }
    const server = await program.serve(long)
    assert.ok(existsSync(join(data, 'kartoteka.sock')))
    assert.equal((await program.start(['table', 'create', 'One'], long).finished).out, '1\n')
    assert.equal((await server.stop()).code, 0)
    assert.ok(!existsSync(join(data, 'kartoteka.sock')))
    assert.equal((await program.start(['table', 'create', 'Two'], long).finished).out, '2\n')
    await program.remove()
  })
})
