import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import Database from 'better-sqlite3'

/*
 * Loaded before a program (`node --import`): counts what it does to files, databases and sockets, and kills it with SIGKILL before
 * the step that DIE_AT names. At a regular end the number of steps goes into the file that STEPS_INTO names.
 */

let steps = 0
const dieAt = Number(process.env['DIE_AT'] ?? 0)

function step(): void {
  if (++steps === dieAt) process.kill(process.pid, 'SIGKILL')
}

type Method = (this: unknown, ...given: unknown[]) => unknown

function counted(owner: object, names: readonly string[]): void {
  const methods = owner as Record<string, Method>
  for (const name of names) {
    const method = methods[name]!
    methods[name] = function (...given) {
      step()
      return method.apply(this, given)
    }
  }
}

counted(fs.promises, ['mkdir', 'open', 'rename', 'rm', 'writeFile'])
counted(fs, ['mkdirSync', 'createWriteStream'])
counted(Socket.prototype, ['write'])
counted(Database.prototype, ['exec', 'pragma'])
syncBuiltinESMExports()

const into = process.env['STEPS_INTO']
if (into !== undefined) process.on('exit', () => fs.writeFileSync(into, String(steps)))
