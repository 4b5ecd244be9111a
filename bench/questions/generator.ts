import { fileURLToPath } from 'node:url'
import { table } from '../markdown.ts'
import { stop, start } from '../servers.ts'
import type { Question } from '../question.ts'

export const generatorQuestion: Question = {
  name: 'generator',
  says: 'How fast is the load generator itself, against a socket that answers at once?',
  async measure(bench) {
    const server = { ...(await start([fileURLToPath(new URL('../echo.ts', import.meta.url))], /^(\d+)\n/)), token: 'none' }
    try {
      const rows: (string | number)[][] = []
      for (const connections of [1, 16, 64]) {
        const shots = [{ kind: 'echo', path: '/' }]
        const { perSecond, all, generatorCores } = await bench.loader.run({
          port: server.port,
          token: 'none',
          connections,
          seconds: bench.seconds,
          shots,
        })
        rows.push([String(connections), perSecond, all.p50, all.p99, (generatorCores * 1e6) / perSecond])
      }
      return table(['connections', 'answers /s', 'p50 ms', 'p99 ms', 'generator CPU µs'], rows)
    } finally {
      await stop(server)
    }
  },
}
