import type { Worker } from 'node:worker_threads'
import { Failure } from '../../errors.ts'
import { Abandoned, type Client } from '../../store/model/asker.ts'
import { atMost } from '../../store/scheduling/at-most.ts'
import { notBase64, SpooledContent } from '../../store/model/sent.ts'
import type { Spool } from '../../store/files/spool.ts'
import { startThread } from '../../store/scheduling/thread.ts'
import type { Decoded, Result, Task } from './body-thread.ts'
import { filesIn } from './take-out.ts'

/* Bodies that are too large for memory. Each is in a file; a thread of its own (body-thread.ts) reads them, one at a time. */

/** Milliseconds without work after which the thread ends. */
const IDLE = 5_000

/** MiB of the thread's heap: the text without contents of files, the value parsed from it, and as much again. */
const HEAP = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 128 }

export interface ReadBody {
  /** As `parseJson` returns it, with contents of files as SpooledContent. */
  readonly body: unknown
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
}

export interface LargeBodies {
  /** `nonce`: a random text, which no client can guess. @throws as `parseJson`, `body.too_large_besides`, Abandoned */
  read(spool: Spool, nonce: string, client: Client): Promise<ReadBody>
  close(): Promise<void>
}

interface Thread {
  readonly worker: Worker
  /** 1: nobody waits for the answer any more. */
  readonly signal: Int32Array
}

export function largeBodies(): LargeBodies {
  // The queue needs no limit: the bytes of all bodies that wait are counted (body.ts).
  const inTurn = atMost(1, Infinity)
  let thread: Thread | undefined
  let idle: NodeJS.Timeout | undefined

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = thread
    thread = undefined
    await ending?.worker.terminate()
  }

  function start(): Thread {
    const signal = new Int32Array(new SharedArrayBuffer(4))
    const worker = startThread(new URL('./body-thread.ts', import.meta.url), { workerData: signal, resourceLimits: HEAP })
    worker.unref()
    const started = { worker, signal }
    const forget = () => {
      if (thread === started) thread = undefined
    }
    // Also while it is idle: without a listener for errors, an error of the thread would end the process.
    worker.on('error', forget)
    worker.once('exit', forget)
    return started
  }

  async function perform(task: Task, client: Client): Promise<Result> {
    clearTimeout(idle)
    const { worker, signal } = (thread ??= start())
    Atomics.store(signal, 0, 0)
    const stop = client.whenGone(() => void Atomics.store(signal, 0, 1))
    try {
      return await answerOf(worker, task)
    } finally {
      stop()
      if (thread) idle = setTimeout(() => void end(), IDLE).unref()
    }
  }

  return {
    async read(spool, nonce, client) {
      const result = await inTurn(() => perform({ descriptor: spool.descriptor, size: spool.size, nonce }, client), client)
      if (result === 'abandoned') throw new Abandoned()
      if ('failed' in result) throw result.failed
      if ('refused' in result) {
        const { message, where, ...row } = result.refused
        throw new Failure(row, message, where)
      }
      return { body: putIn(JSON.parse(result.text), result.contents, spool), hash: result.hash }
    },
    close: end,
  }
}

/** The document with the decoded contents in the place of their keys. */
function putIn(document: unknown, contents: ReadonlyMap<string, Decoded>, spool: Spool): unknown {
  if (contents.size === 0) return document
  for (const file of filesIn(document)) {
    const decoded = contents.get(file['content'] as string)
    if (decoded === 'not base64') file['content'] = notBase64
    else if (decoded) file['content'] = new SpooledContent(decoded.size, decoded.hash, () => spool.part(decoded.at, decoded.size))
  }
  return document
}

const answerOf = (worker: Worker, task: Task): Promise<Result> =>
  new Promise((resolve, reject) => {
    const finish = (tell: () => void) => {
      worker.off('message', answered)
      worker.off('error', failed)
      worker.off('exit', ended)
      tell()
    }
    const answered = (result: Result) => finish(() => resolve(result))
    const failed = (error: unknown) => finish(() => reject(error))
    const ended = () => failed(new Error('The thread that reads large bodies has ended.'))
    worker.on('message', answered)
    worker.on('error', failed)
    worker.on('exit', ended)
    worker.postMessage(task)
  })
