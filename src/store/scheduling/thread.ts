import module from 'node:module'
import { dirname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread with the compile cache of the process. Without it the thread would load the TypeScript compiler, which takes 12 MiB.
 */
export function startThread(program: URL, options: WorkerOptions): Worker {
  const cache = module.getCompileCacheDir()
  // The folder that was configured; Node keeps a folder for each of its versions in it.
  const argv = [program.href, ...(cache === undefined ? [] : [dirname(cache)])]
  return new Worker(new URL('./thread.mjs', import.meta.url), { ...options, argv })
}
