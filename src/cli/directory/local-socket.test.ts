import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { limits } from '../../limits.ts'
import type { Output } from '../terminal/output.ts'
import { callServer, serveSocket, type Perform } from './local-socket.ts'

const nothing: Output = {
  line: async () => {},
  note: async () => {},
  progress: async () => {},
  append: async () => {},
  appendBytes: async () => {},
}

/** What this process has open, where the system tells it. */
function openFiles(): string[] {
  const descriptors = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : []
  return descriptors.flatMap((one) => {
    try {
      return [readlinkSync(`/proc/self/fd/${one}`)]
    } catch {
      // That of the folder, which is closed again.
      return []
    }
  })
}

describe('the socket for commands', () => {
  let directory: string
  let stop: () => Promise<void>
  let perform: Perform
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'kartoteka-socket-'))
    stop = await serveSocket(directory, (...given) => perform(...given))
  })
  afterEach(async () => {
    await stop()
    rmSync(directory, { recursive: true })
  })
  const call = (text = '') => callServer(directory, { name: 'x', args: { text }, options: {}, inputSize: 0 }, () => undefined, nothing)

  it('passes on a command and its exit code, and refuses to send one that is longer than limits.command allows', async () => {
    perform = async ({ args }) => args['text']!.length
    assert.equal(await call('ab'), 2)
    await assert.rejects(call('x'.repeat(limits.command.most)), { message: 'The command is too long for the running server.' })
  })

  it('keeps no file open of a command that was not sent', async () => {
    perform = async () => 0
    await call()
    const open = () => openFiles().filter((path) => path.startsWith(directory)).length
    const before = open()
    for (let i = 0; i < 3; i++) await assert.rejects(call('x'.repeat(limits.command.most)))
    assert.equal(open(), before)
  })

  it('performs as many commands at once as limits.commands allows, and tells the next one that the server has ended', async () => {
    const gate = Promise.withResolvers<number>()
    const all = Promise.withResolvers<void>()
    let running = 0
    perform = () => {
      if (++running === limits.commands.most) all.resolve()
      return gate.promise
    }
    const calls = Array.from({ length: limits.commands.most }, () => call())
    await all.promise
    await assert.rejects(call(), { message: 'The server stopped before the command was done.' })
    gate.resolve(0)
    assert.deepEqual(new Set(await Promise.all(calls)), new Set([0]))
    assert.equal(running, limits.commands.most)
  })

  it('ends although a command does not', async () => {
    const place = mkdtempSync(join(tmpdir(), 'kartoteka-socket-'))
    const begun = Promise.withResolvers<AbortSignal>()
    const end = await serveSocket(
      place,
      (_call, _input, _output, ended) => {
        begun.resolve(ended!)
        return new Promise(() => {})
      },
      20,
    )
    const called = assert.rejects(callServer(place, { name: 'x', args: {}, options: {}, inputSize: 0 }, () => undefined, nothing))
    const ended = await begun.promise
    await end()
    assert.ok(ended.aborted)
    await called
    rmSync(place, { recursive: true })
  })

  it('waits for a slow reader without a listener that stays for each line', async () => {
    const warnings: string[] = []
    const warned = ({ name }: Error) => void warnings.push(name)
    process.on('warning', warned)
    perform = async (_, __, output) => {
      for (let i = 0; i < 300; i++) await output.line('x'.repeat(50_000))
      return 0
    }
    let lines = 0
    const slow: Output = { ...nothing, line: async () => void (++lines % 20 === 0 && (await setTimeout(5))) }
    assert.equal(await callServer(directory, { name: 'x', args: {}, options: {}, inputSize: 0 }, () => undefined, slow), 0)
    process.off('warning', warned)
    assert.deepEqual([lines, warnings], [300, []])
  })

  it('ends a command of which one line of output is longer than limits.commandAnswer allows', async (context) => {
    const limit = limits.commandAnswer as { most: number }
    const { most } = limit
    context.after(() => (limit.most = most))
    limit.most = 100_000
    perform = async (_, __, output) => {
      await output.line('x'.repeat(10_000_000))
      return 0
    }
    await assert.rejects(call(), { message: /^The running server gave an unexpected answer/ })
  })
})
