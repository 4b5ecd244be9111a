import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from '../bench.ts'
import type { Question } from '../question.ts'

export const peersQuestion: Question = {
  name: 'peers',
  says: 'Beside other servers of its kind, each as it is shipped (needs --peers; see bench/peers)',
  async measure(bench) {
    const { peers, against } = bench
    if (peers === undefined) throw new Error('Say where the harness is: --peers <folder>. See bench/peers/README.md.')
    const out = join(bench.folder, 'results')
    const adapters = [fileURLToPath(new URL('../peers/kartoteka.mjs', import.meta.url)), ...against]
    const files: string[] = []
    for (const adapter of adapters) {
      await run(bench, [join(peers, 'run.mjs'), adapter, '--rows', String(bench.rows), '--seconds', String(bench.seconds), '--out', out])
      files.push(join(out, `${adapter === adapters[0] ? 'kartoteka' : adapter}-${bench.rows}.json`))
    }
    const report = await run(bench, [join(peers, 'report.mjs'), ...files])
    // The comparison only; its headings one level down. What stands behind it tells of each server alone.
    return report
      .replace(/^## Comparison\s+/, '')
      .replace(/\n## Per server[^]*$/, '')
      .replaceAll(/^### /gm, '#### ')
      .trim()
  },
}

/** Runs a script of the harness; what it complains of is shown, what it says is returned. */
async function run({ keep }: Bench, args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...(keep !== undefined && process.env['PEERS_DIR'] === undefined && { PEERS_DIR: join(keep, 'peers') }) }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return said
}
