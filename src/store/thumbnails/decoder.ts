import { fork, type ChildProcess } from 'node:child_process'
import { limits } from '../../limits.ts'

/* Starts the process that decodes images (decoder.mjs), gives it one image at a time, and ends it. */

/** What comes of an image: the small one, why there is none, why there is none this time, or that this platform has no decoder. */
export type Decoded =
  | { readonly bytes: Uint8Array }
  | { readonly refused: string }
  | { readonly failed: string }
  | { readonly missing: true }

/** Milliseconds without work after which the process ends. */
const IDLE = 10_000

export interface Decoder {
  /** One after the other. `side`: pixels of the longer side, at most. */
  decode(bytes: Uint8Array, side: number): Promise<Decoded>
}

export function decoder(): Decoder {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): ChildProcess {
    const started = fork(new URL('./decoder.mjs', import.meta.url), {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=64'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
    })
    // It ends with this process.
    started.unref()
    started.channel?.unref()
    started.once('exit', () => {
      if (child === started) child = undefined
    })
    return started
  }

  function end(): void {
    child?.kill('SIGKILL')
    child = undefined
  }

  return {
    async decode(bytes, side) {
      clearTimeout(idle)
      if (!child?.connected) child = start()
      const result = await answerOf(child, { bytes, side, pixels: limits.thumbnailPixels.most })
      if (result === undefined) end()
      else idle = setTimeout(end, IDLE).unref()
      return result ?? { failed: 'it takes too long, or breaks the decoder' }
    },
  }
}

/** Undefined: the process has ended, or did not answer in time. */
const answerOf = (child: ChildProcess, task: object): Promise<Decoded | undefined> =>
  new Promise((resolve) => {
    const finish = (result: Decoded | undefined) => {
      clearTimeout(late)
      child.off('message', answered)
      child.off('exit', ended)
      child.off('error', ended)
      resolve(result)
    }
    const answered = (result: unknown) => finish(result as Decoded)
    const ended = () => finish(undefined)
    const late = setTimeout(ended, limits.thumbnailTime.most)
    child.on('message', answered)
    child.on('exit', ended)
    child.on('error', ended)
    // A process that could not be started has no channel, and does not tell that it has ended.
    if (child.connected) child.send(task, (error) => error && ended())
    else ended()
  })
