import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ScratchProgram, Server } from '../support/scratch-program.ts'
import { differenceFrom, newCopy, type Page } from './copy.ts'
import { listAll } from './verify.ts'
import type { Calm } from './clients.ts'

const program = fileURLToPath(new URL('follow.ts', import.meta.url))

/** Milliseconds in which it must have caught up with a server to which nobody writes. */
const PATIENCE = 120_000

/** A program that follows the log through all lives of the server, and dies itself at times. */
export interface Follower {
  /** How often it was killed. */
  readonly kills: number
  /** How many changes its copy is made of. */
  readonly changes: number
  /** Tells it where the server is now. */
  at(server: Server): void
  killSoon(milliseconds: number): Promise<void>
  /** @throws where its copy of the table does not become what the server shows */
  mustAgree(storm: Calm): Promise<void>
  stop(): Promise<void>
}

export function startFollower(scratch: ScratchProgram, token: string): Follower {
  const [file, address] = [scratch.at('copy'), scratch.at('address')]
  writeFileSync(address, 'http://127.0.0.1:1')
  const start = (): ChildProcess => spawn(process.execPath, ['--no-warnings', program, file, address, token], { stdio: 'inherit' })
  let child = start()
  let kills = 0
  const copy = newCopy()
  let read = 0

  async function kill(): Promise<void> {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await ended
  }

  /** Takes what its file has got since. */
  function catchUp(): void {
    if (existsSync(`${file}.wrong`)) assert.fail(`The follower: ${readFileSync(`${file}.wrong`, 'utf8')}`)
    if (!existsSync(file)) return
    const bytes = readFileSync(file).subarray(read)
    const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1)
    read += whole.length
    for (const line of whole.toString().split('\n')) if (line !== '') copy.take(JSON.parse(line) as Page)
  }

  return {
    get kills() {
      return kills
    },
    get changes() {
      return copy.changes
    },
    at: (server) => writeFileSync(address, server.url),
    async killSoon(milliseconds) {
      await sleep(milliseconds)
      await kill()
      kills++
      child = start()
    },
    async mustAgree(storm) {
      const records = await listAll(storm, storm.shape.type)
      let difference: string | undefined = 'nothing was read'
      for (const began = performance.now(); performance.now() - began < PATIENCE; await sleep(20)) {
        catchUp()
        difference = differenceFrom(copy, storm.shape.table, records)
        if (difference === undefined) return
      }
      assert.fail(`The copy of the follower, at ${copy.cursor}: ${difference}`)
    },
    stop: kill,
  }
}
