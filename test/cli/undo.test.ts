import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { programOfRun, type ScratchProgram } from '../support/scratch-program.ts'

const LINES = 1_500

for (const withServer of [true, false]) {
  describe(`history and undo ${withServer ? 'through the server' : 'without a server'}`, () => {
    let program: ScratchProgram
    before(async () => {
      program = await programOfRun()
      if (withServer) await program.serve()
    })
    after(() => program.remove())

    const records = async (): Promise<Record<string, number>> => {
      const tables = JSON.parse(await program.ok('table', 'list', '--json')) as { name: string; records: number }[]
      return Object.fromEntries(tables.map((one) => [one.name, one.records]))
    }
    const batchIn = (text: string): string => /^batch (\d+); take it back with: kartoteka undo \1$/m.exec(text)![1]!

    it('an import of many lines, its later lists included, is one batch, and is taken back with one command', async () => {
      // Stages come late, so the list grows while the file is read, and references are filled in at the end.
      const lines = Array.from(
        { length: LINES },
        (_, i) => `C${i},${i < 1_200 ? 'open' : `late ${i % 7}`},${i === 3 ? `C${LINES - 1}` : ''}`,
      )
      const file = program.file('wrong.csv', `code,stage,parent\n${lines.join('\n')}\n`)
      const imported = await program.run('import', 'Wrong', file, '--create', '--unique', 'code', '--reference', 'parent=Wrong.code')
      assert.equal(imported.code, 0, imported.err)
      assert.equal(imported.out, `${LINES} lines read: ${LINES} imported, 0 bad\n`)
      const batch = batchIn(imported.err)
      const told = JSON.parse(await program.ok('history', 'Wrong', '4', '--json')) as Record<string, unknown>[]
      assert.deepEqual(new Set(told.map((line) => String(line['batch']))), new Set([batch]))
      assert.deepEqual([...new Set(told.map((line) => line['action']))], ['create', 'update'])
      assert.deepEqual(
        told.find(({ attribute, action }) => attribute === 'f3' && action === 'update'),
        {
          ...told.at(-1),
          attribute: 'f3',
          from: '0',
          to: String(LINES),
        },
      )
      assert.equal((await program.ok('undo', batch, '--dry-run')).trimEnd(), `${LINES} records would be changed back, 0 conflicts`)
      assert.deepEqual(await records(), { Wrong: LINES })
      const undone = await program.run('undo', batch)
      assert.equal(undone.out, `${LINES} records changed back, 0 conflicts\n`, undone.err)
      assert.deepEqual(await records(), { Wrong: 0 })
      const again = await program.run('undo', batch)
      assert.equal(again.code, 1)
      assert.match(again.err, /was undone by batch/)
      const back = await program.run('undo', batchIn(undone.err))
      assert.equal(back.out, `${LINES} records changed back, 0 conflicts\n`, back.err)
      assert.deepEqual(await records(), { Wrong: LINES })
      assert.equal(await program.ok('check'), 'Everything is in order.\n')
    })

    it('says why nothing is changed back where it was no change of records', async () => {
      await program.ok('table', 'create', 'Later')
      const { batchId } = JSON.parse((await program.ok('changes', '--json')).trim().split('\n').at(-1)!) as { batchId: number }
      const { code, out, err } = await program.run('undo', String(batchId))
      assert.deepEqual([code, out], [0, '0 records changed back, 0 conflicts\n'])
      assert.match(err, /Changes of structure, rights and users are not undone\./)
    })

    it('prints the history of a record as a table', async () => {
      const table = (await program.ok('history', 'Wrong', '1')).split('\n')
      assert.match(table[0]!, /^change +time +action +user +via +batch +attribute +from +to$/)
      assert.match(
        table.find((line) => line.includes(' f1 '))!,
        / create +0 +import +\d+ +f1 +C0$/,
      )
      const none = await program.run('history', 'Wrong', '999999')
      assert.equal(none.code, 2)
      assert.match(none.err, /has no record 999999/)
    })
  })
}
