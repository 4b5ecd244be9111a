import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { servedProgram, type ScratchProgram, type Server } from '../../support/scratch-program.ts'

const ESCAPE = '\u001b]0;owned\u0007\u009b2J\u202e\u007f'
const SHOWN = '\\u001b]0;owned\\u0007\\u009b2J\\u202e\\u007f'
// oxlint-disable-next-line no-control-regex -- they are what it is about
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

describe('what others have named', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
    const make = async (type: string, attributes: object) => {
      const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes } })
      assert.equal(status, 201, JSON.stringify(body))
    }
    await make('user', { login: 'anna', fio: `Anna${ESCAPE}`, password: 'long enough', group_id: 3 })
    await program.ok('table', 'create', `Goods${ESCAPE}`)
    await program.ok('field', 'create', '1', `Field${ESCAPE}`, 'longtext')
    await make('data1', { f1: `Value${ESCAPE}\n=1+1` })
    await make('data1', { f1: 'gone' })
    assert.equal((await server.call(token, 'DELETE', 'data1/2')).status, 200)
  })
  after(() => program.remove())

  it('is shown and not obeyed by the terminal, in tables, sentences, help and refusals', async () => {
    const typed: [args: string[], shows: string][] = [
      [['user', 'list'], `Anna${SHOWN}`],
      [['table', 'list'], `Goods${SHOWN}`],
      [['table', 'show', '1'], `Field${SHOWN}`],
      [['token', 'list'], 'id'],
      [['trash', 'list'], 'record'],
      [['import', '1', program.file('in.csv', `Field${ESCAPE}\nx\n`), '--dry-run', '--delimiter', ','], `Field${SHOWN}`],
      [['import', '1', program.file('other.csv', `No${ESCAPE}\nx\n`), '--dry-run', '--delimiter', ','], `No${SHOWN}`],
      [['table', 'show', `No${ESCAPE}`], `There is no table 'No${SHOWN}'.`],
      [['user', 'passwd', ESCAPE], SHOWN],
      [['export', '1', '--filter', `eq(f1,${ESCAPE}`], ''],
      [[`no${ESCAPE}`], `no${SHOWN}`],
      [['check', `--${ESCAPE}`], SHOWN],
      [['check', '--data', `/${ESCAPE}`], ''],
      [['restore', `/${ESCAPE}`, '--data', program.at('empty')], SHOWN],
    ]
    for (const [args, shows] of typed) {
      const { out, err } = await program.run(...args)
      assert.ok((out + err).includes(shows), `${JSON.stringify(args)}: ${JSON.stringify(out + err)}`)
      assert.doesNotMatch(out + err, OBEYED, JSON.stringify(args))
    }
  })

  it('is the same in JSON as it is', async () => {
    const out = await program.ok('user', 'list', '--json')
    assert.doesNotMatch(out, OBEYED)
    assert.equal((JSON.parse(out) as { name: string }[]).at(-1)!.name, `Anna${ESCAPE}`)
  })

  it('goes into an export as it is, and back', async () => {
    const out = await program.ok('export', '1')
    assert.ok(out.includes(`Value${ESCAPE}\n=1+1`))
  })

  it('is no formula in an export that is defused, and an import that knows so gives it back', async () => {
    const values = ['=1+1', "'=1+1", '-x', '@SUM(A1)', '\t=1', '-5', "it's", "''", '＝1']
    await program.ok('table', 'create', 'Cells')
    await program.ok('field', 'create', 'Cells', '=HYPERLINK(1)', 'longtext')
    for (const value of values) {
      const { status } = await server.call(token, 'POST', 'data2', { data: { type: 'data2', attributes: { f2: value } } })
      assert.equal(status, 201)
    }
    const file = program.at('cells.csv')
    await program.ok('export', 'Cells', '--defuse', '--out', file)
    const cells = readFileSync(file, 'utf8')
    assert.doesNotMatch(cells, /(^|[,"\n])[=@\t＝]/)
    assert.match(cells, /'=HYPERLINK\(1\)/)
    assert.match(cells, /''=1\+1/)
    await program.ok('import', 'Cells', file, '--defused')
    const read = async () =>
      (await program.ok('export', 'Cells', '--format', 'jsonl'))
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Record<string, string>)['f2'])
    assert.deepEqual(await read(), [...values, ...values])
    assert.equal((await program.run('export', 'Cells', '--defuse', '--format', 'jsonl')).code, 2)
  })

  it('is no formula in the file that tells of bad lines', async () => {
    const { code } = await program.run('import', 'New', program.file('bad.csv', '=cmd()\n1\nx\n'), '--create', '--type', '=cmd()=integer')
    assert.equal(code, 1)
    assert.match(readFileSync(program.at('bad.csv.errors.csv'), 'utf8'), /^line,column,reason\n3,'=cmd\(\),/)
  })
})
