import module from 'node:module'
import { dirname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * A thread that runs a program of ours. As compiled before, like the process itself: a thread has no compile cache of its own
 * accord, and would load the compiler, which is 12 MiB in each.
 */
export function startThread(program: URL, options: WorkerOptions): Worker {
  const cache = module.getCompileCacheDir()
  // The folder that was asked for; that of this version of Node lies in it.
  const argv = [program.href, ...(cache === undefined ? [] : [dirname(cache)])]
  return new Worker(new URL('./thread.mjs', import.meta.url), { ...options, argv })
}
