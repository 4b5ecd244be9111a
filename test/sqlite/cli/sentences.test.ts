import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { commands } from '../../../src/cli/commands.ts'
import { scratchProgram, type Finished, type ScratchProgram } from '../../support/scratch-program.ts'
import { smallFileSystem } from '../../support/small-disk.ts'

/* Every command, wherever it cannot work: it ends in a sentence, with an exit code that is documented and is not a fault of ours. */

const isRoot = process.getuid?.() === 0
const OWNER = 54_321
const NEIGHBOUR = 54_322
const AT_ONCE = 3
/** One command of each kind: a quick run has these alone. */
const kinds: readonly string[] = ['serve', 'restore', 'migrate-store', 'import', 'table create', 'user list', 'check']
/** A run that is neither quick nor long has, besides these, every eighth command, other ones for each fault. */
const PART = 8

describe('every command ends in a sentence', () => {
  let program: ScratchProgram
  let typed: Readonly<Record<string, readonly string[]>>
  before(async () => {
    program = scratchProgram()
    chmodSync(program.root, 0o755)
    await program.ok('import', 'Goods', program.file('goods.csv', `Name,Kind\n${'one,two\n'.repeat(1_200)}`), '--create')
    await program.ok('token', 'create', '--login', 'admin')
    await program.ok('backup', program.at('copy'))
    const csv = program.file('many.csv', `Name,Kind\n${'three,four\n'.repeat(1_500)}`)
    const structure = program.file('structure.json', '{"format":"kartoteka-structure","version":1}')
    for (const path of [program.at('copy'), csv, structure]) chmodSync(path, 0o755)
    typed = {
      serve: [],
      restore: [program.at('copy')],
      'migrate-store': ['--from', 'sqlite', '--to', 'postgres://nobody@127.0.0.1:1/none'],
      demo: ['--records', '3'],
      import: ['Goods', csv],
      export: ['Goods'],
      'table list': [],
      'table show': ['Goods'],
      'table create': ['New'],
      'table copy': ['Goods', '--with-records'],
      'table delete': ['Goods'],
      'field create': ['Goods', 'New', 'text'],
      'field delete': ['f1'],
      'user list': [],
      'user create': ['anna'],
      'user passwd': ['admin'],
      'user archive': ['admin'],
      'user invite': ['admin'],
      'token create': ['--login', 'admin'],
      'token list': [],
      'token revoke': ['1'],
      'group list': [],
      'group create': ['Sales'],
      'group rename': ['3', 'Customers'],
      'group delete': ['3'],
      'access list': [],
      'access set': ['2', 'Goods', '--rights', 'read'],
      'access remove': ['2', 'Goods'],
      'access explain': ['admin', 'Goods'],
      'filter list': [],
      'filter add': ['Goods', 'All', 'eq(status,0)'],
      'filter set': ['1', '--name', 'None'],
      'filter remove': ['1'],
      audit: [],
      'trash list': [],
      'trash restore': ['1'],
      'trash erase': ['1'],
      'trash purge': [],
      history: ['Goods', '1'],
      types: [],
      'structure export': [],
      'structure diff': [structure],
      'structure apply': [structure],
      undo: ['1'],
      changes: [],
      'job list': [],
      'job cancel': ['1'],
      'webhook list': [],
      'webhook show': ['1'],
      'webhook add': ['https://example.com/hook', '--login', 'admin'],
      'webhook remove': ['1'],
      'webhook test': ['1'],
      'webhook deliveries': ['1'],
      'webhook replay': ['1'],
      backup: [program.at('never')],
      check: [],
    }
  })
  after(() => program.remove())
  let faults = 0
  const all = () => {
    const others = Object.keys(typed).filter((name) => !kinds.includes(name))
    if (process.env['KARTOTEKA_TEST_LONG'] === '1') return [...kinds, ...others]
    if (process.env['KARTOTEKA_TEST_QUICK'] === '1') return kinds
    const turn = faults++
    return [...kinds, ...others.filter((_, i) => (i + turn) % PART === 0)]
  }

  it('which are all there are', () => {
    assert.deepEqual(
      commands.map(({ name }) => name).filter((name) => !(name in typed)),
      [],
    )
  })

  /** Runs one command on a directory; a server that listens is told to stop. */
  async function end(name: string, data: string, through: readonly string[]): Promise<Finished> {
    const args = [...name.split(' '), ...typed[name]!, '--data', data]
    const running = program.start(args, { through })
    if (name === 'serve')
      running.child.stdout!.on('data', () => {
        if (running.said.out.includes('listens')) running.child.kill('SIGTERM')
      })
    return running.finished
  }

  const isSentence = (name: string, { code, signal, out, err }: Finished) => {
    const said = `${name} ended with ${code}: ${out.slice(-500)}${err}`
    assert.equal(signal, null, said)
    assert.ok([0, 1, 2].includes(code!), said)
    assert.doesNotMatch(out + err, /^\s+at |node:internal|Error: |undefined/m, said)
    if (code !== 0 && name !== 'check' && name !== 'import') assert.match(err, /^kartoteka: [^\n]+[.…:)/]\S*[^\n]*\n$/m, said)
  }

  /** All of them, each on a copy of the installation of its own that `spoil` has had. */
  async function onCopies(
    spoil: (data: string) => void,
    through: readonly string[] | ((data: string) => readonly string[]) = [],
    below = program.root,
  ) {
    const results = new Map<string, Finished>()
    const names = [...all()]
    const place = mkdtempSync(join(below, 'spoilt-'))
    chmodSync(place, 0o755)
    const work = async () => {
      for (let name = names.shift(); name !== undefined; name = names.shift()) {
        const data = join(place, name.replace(' ', '-'))
        cpSync(program.data, data, { recursive: true })
        chmodSync(data, 0o700)
        spoil(data)
        const result = await end(name, data, typeof through === 'function' ? through(data) : through)
        isSentence(name, result)
        results.set(name, result)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return results
  }

  const database = (data: string) => join(data, 'kartoteka.sqlite')
  const overwrite = (data: string, from: number, bytes: number) => {
    const file = openSync(database(data), 'r+')
    writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, from)
    closeSync(file)
  }
  const failed = (results: Map<string, Finished>, says: RegExp, but: readonly string[] = ['restore']) => {
    for (const [name, { code, err }] of results) {
      if (but.includes(name)) continue
      assert.equal(code, 1, `${name}: ${err}`)
      assert.match(err, says, name)
    }
  }

  it('on a file that is no database', async () =>
    failed(await onCopies((data) => overwrite(data, 0, 4_096)), /The database file is damaged \(SQLITE_NOTADB\)/))

  it('on a database whose pages are damaged', async () => {
    const results = await onCopies((data) => overwrite(data, 4_096, statSync(database(data)).size - 4_096))
    failed(results, /The database file is damaged \(SQLITE_CORRUPT/)
  })

  it('on a database that is cut off', async () => {
    const results = await onCopies((data) => truncateSync(database(data), Math.floor(statSync(database(data)).size / 8_192) * 4_096))
    assert.equal(results.get('check')!.code, 1)
  })

  it('on data of a newer version', async () => {
    const results = await onCopies((data) => {
      const newer = new Database(database(data))
      newer.exec('INSERT INTO migrations (number) VALUES (9999)')
      newer.close()
    })
    failed(results, /written by a newer version of Kartoteka/, ['restore'])
  })

  it('on a full disk', async (context) => {
    const disk = await smallFileSystem(64)
    if (typeof disk === 'string') return context.skip(disk)
    try {
      const names = [...all()]
      for (const name of names) cpSync(program.data, join(disk.here, name.replace(' ', '-')), { recursive: true })
      disk.fill(0)
      const codes = new Map<string, number | null>()
      const work = async () => {
        for (let name = names.shift(); name !== undefined; name = names.shift()) {
          const result = await end(name, join(disk.directory, name.replace(' ', '-')), disk.through)
          isSentence(name, result)
          codes.set(name, result.code)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      assert.deepEqual([codes.get('import'), codes.get('table create')], [1, 1])
    } finally {
      disk.remove()
    }
  })

  it('on a file system that can only be read', async (context) => {
    const own = isRoot ? [] : ['--user', '--map-root-user']
    const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
    const through = (data: string) => ['unshare', ...own, '--mount', 'sh', '-c', script, 'sh', data]
    const probe = program.start(['--version'], { through: through(program.root) })
    if ((await probe.finished).code !== 0) return context.skip('nothing can be mounted here')
    failed(await onCopies(() => undefined, through), /is on a read-only file system, and Kartoteka must write to it\. .*\n$/, [])
  })

  const asUser = (uid: number) => (isRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'] : [])
  const give = (data: string, uid: number) => {
    if (!isRoot) return
    for (const name of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })]) chownSync(join(data, name), uid, uid)
  }

  it('in a directory that cannot be read', async () => {
    const results = await onCopies((data) => (give(data, OWNER), chmodSync(data, 0)), asUser(OWNER))
    failed(results, /cannot read and write '\S+'\. Run: chmod -R u\+rwX /, [])
  })

  it('in a directory of another user', async (context) => {
    if (!isRoot) return context.skip('only root can become another user')
    failed(
      await onCopies((data) => give(data, OWNER), asUser(NEIGHBOUR)),
      /belongs to the user #54321\. Type the command as that user: sudo -u '#54321' …\n$/,
      [],
    )
  })

  it('where a server was killed and its socket is left', async () => {
    const place = mkdtempSync(join(tmpdir(), 'kartoteka-stale-'))
    cpSync(program.data, place, { recursive: true })
    for (const name of all()) {
      if (!readdirSync(place).includes('kartoteka.sock')) {
        const server = await program.serve({}, '--data', place)
        await server.stop('SIGKILL')
      }
      assert.ok(readdirSync(place).includes('kartoteka.sock'))
      isSentence(name, await end(name, place, []))
    }
    rmSync(place, { recursive: true })
  })
})
