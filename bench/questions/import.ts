import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { peakMemory } from '../machine.ts'
import { table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { command, importArguments, loadFloor, startOurs, stop } from '../servers.ts'

export const importQuestion: Question = {
  name: 'import',
  says: 'A file of as many lines imported into a new table, and exported as a workbook: how fast, and in how much memory?',
  async measure(bench) {
    const file = await bench.csv(1, bench.rows)
    const [empty, served] = ['alone', 'served'].map((name) => join(bench.folder, name))
    const alone = await bench.neighbours.during([process.pid], () => command(empty!, ...importArguments('customers', file)))
    await command(served!, ...importArguments('customers', await bench.csv(1, 100)))
    const token = (await command(served!, 'token', 'create', '--login', 'admin')).said.trim()
    const server = await startOurs(served!, token)
    const through = await bench.neighbours.during([process.pid, server.child.pid!], () =>
      command(served!, ...importArguments('again', file)),
    )
    const peak = peakMemory(server.child.pid!)
    await stop(server)
    const workbook = join(bench.folder, 'customers.xlsx')
    const exported = await bench.neighbours.during([process.pid], () =>
      command(empty!, 'export', 'customers', '--format', 'xlsx', '--out', workbook),
    )
    const back = await bench.neighbours.during([process.pid], () => command(empty!, ...importArguments('back', workbook), '--map', 'id='))
    rmSync(workbook)
    const floor = await bench.neighbours.during([process.pid], () => loadFloor(join(bench.folder, 'import.sqlite'), file))
    for (const folder of [empty!, served!]) rmSync(folder, { recursive: true, force: true })
    const row = (says: string, seconds: number, memory: number) => {
      const rate = bench.rows / seconds
      return [
        says,
        bench.rows,
        seconds,
        rate,
        floor.seconds / seconds,
        memory,
        verdict('≥ 50,000/s', rate >= 50_000),
        verdict('≤ 250 MiB', memory <= 250),
      ]
    }
    const head = ['import', 'lines', 'seconds', 'lines /s', 'share of the floor', 'peak memory MiB', 'speed', 'memory']
    const rows = table(head, [
      row('by the command itself', alone.seconds, alone.peak),
      row('by the server that runs', through.seconds, peak),
      row('of a workbook (.xlsx)', back.seconds, back.peak),
      row('export as a workbook', exported.seconds, exported.peak),
      ['floor: one prepared statement, nothing checked', bench.rows, floor.seconds, bench.rows / floor.seconds, 1, floor.peak, '', ''],
    ])
    return `${rows}\n\nThe command that handed the file to the server held ${through.peak.toFixed(0)} MiB at most.`
  },
}
