import module from 'node:module'
import { dirname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread with the compile cache of the process. By itself a thread has none, and would load the compiler of TypeScript, which takes
 * 12 MiB in each.
 */
export function startThread(program: URL, options: WorkerOptions): Worker {
  const cache = module.getCompileCacheDir()
  // The folder that was configured; Node keeps a folder for each of its versions in it.
  const argv = [program.href, ...(cache === undefined ? [] : [dirname(cache)])]
  return new Worker(new URL('./thread.mjs', import.meta.url), { ...options, argv })
}
