// What every thread begins with (thread.ts): its program comes from the cache that the process has, if it has one.
import { enableCompileCache } from 'node:module'

const [program, cache] = process.argv.slice(2)
if (cache) enableCompileCache(cache)
await import(program)
