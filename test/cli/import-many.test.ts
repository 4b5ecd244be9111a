import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { programOfRun, type ScratchProgram } from '../support/scratch-program.ts'

/* Files of more lines than the import looks at before it begins are read and written by a thread of their own. */

const LINES = 2_600

/** Codes go up; every 500th line is bad in one way or another, and the line after it names a code there already is. */
const lines = Array.from({ length: LINES }, (_, i) => {
  const kind = i % 500 === 499 ? (i + 1) / 500 : 0
  const code = i % 500 === 0 && i > 0 ? i - 250 : i
  if (kind === 2) return `C${code},"Name, ${i}",1.50,late`
  if (kind === 3) return `C${code},Name ${i},much`
  if (kind === 4) return `C${code},Name ${i},1.00000000001`
  return `C${code},${i % 7 === 0 ? `"Имя ${i}\nof two lines"` : `Name ${i}`},${i}.25`
})
const bad = 3 + 5

for (const withServer of [true, false]) {
  describe(`import of many lines ${withServer ? 'through the server' : 'without a server'}`, () => {
    let program: ScratchProgram
    before(async () => {
      program = await programOfRun()
      if (withServer) await program.serve()
    })
    after(() => program.remove())

    it('accounts for every line, and tells what was wrong in their order', async () => {
      const file = program.file('many.csv', `code,name,amount\n${lines.join('\n')}\n`)
      const { code, out, err } = await program.run('import', 'Many', file, '--create', '--unique', 'code')
      assert.equal(out, `${LINES} lines read: ${LINES - bad} imported, ${bad} bad\n`, err)
      assert.equal(code, 1)
      const [head, ...told] = readFileSync(`${file}.errors.csv`, 'utf8').trimEnd().split('\n')
      assert.equal(head, 'line,column,reason')
      const numbers = told.map((line) => Number(line.split(',')[0]))
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
      )
      const reasons = told.map((line) => line.slice(line.indexOf(',') + 1))
      assert.equal(reasons.filter((reason) => reason.startsWith('code,') && reason.includes('code')).length, 5)
      assert.equal(reasons.filter((reason) => reason.includes('The line has 4 values; the header has 3.')).length, 1)
      assert.equal(reasons.filter((reason) => reason.startsWith('amount,')).length, 2)
      assert.equal(await count(1), LINES - bad)
    })

    it('keeps what stands before the place where the file cannot be read', async () => {
      const file = program.file('broken.csv', Buffer.concat([Buffer.from(`a\n${'Ж\n'.repeat(100_000)}`), Buffer.from([0xff, 0x0a])]))
      const { code, out, err } = await program.run('import', 'Broken', file, '--create')
      assert.equal(code, 1)
      assert.match(
        err,
        /The import stopped before the end of the file\.\nThe file is not written in utf-8: it has another encoding\. Name it with --encoding\.\n/,
      )
      const [, read, imported] = /^(\d+) lines read: (\d+) imported, 0 bad\n$/.exec(out)!
      assert.ok(Number(read) >= 1_000 && read === imported, out)
      assert.equal(await count(2), Number(imported))
    })

    async function count(table: number): Promise<number> {
      assert.equal(await program.ok('check'), 'Everything is in order.\n')
      const tables = JSON.parse(await program.ok('table', 'list', '--json')) as { id: number; records: number }[]
      return tables.find(({ id }) => id === table)!.records
    }
  })
}
