import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

/*
 * Types README.md, docs/walkthrough.md and the guides: every command of their console blocks, in one shell, beside a server that runs.
 * UPDATE=1 writes what the commands print into the page.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const END = '@@ that was'

interface Step {
  readonly command: string
  /** Where `…` stands for anything. */
  readonly printed: string
}

const blocks = /^```console\n(.*?)^```$/gms

function stepsOf(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [, command, printed] = /^((?:[^\n]*\\\n)*[^\n]*\n)(.*)$/s.exec(step)!
      return { command: command!, printed: printed! }
    })
}

const fits = (printed: string, expected: string): boolean =>
  new RegExp(
    `^${expected
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')
      // The ids of batches are positions in the log.
      .replace(/^(batch )\d+(; take it back with: kartoteka undo )\d+$/gm, '$1\\d+$2\\d+')}$`,
  ).test(printed)

const guides = readdirSync(join(root, 'docs/guides'))
  .map((file) => `docs/guides/${file}`)
  .filter((page) => /^```console$/m.test(readFileSync(join(root, page), 'utf8')))

for (const name of ['README.md', 'docs/walkthrough.md', ...guides])
  describe(name, () => {
    const page = join(root, name)
    let scratch: string
    let server: ReturnType<typeof spawn>
    let address: string
    const environment = () => ({
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      KARTOTEKA_DATA: join(scratch, 'data'),
      KARTOTEKA_LOG_LEVEL: 'error',
      PORT: '0',
    })
    before(async () => {
      scratch = mkdtempSync(join(tmpdir(), 'kartoteka-walk-'))
      server = spawn(process.execPath, [join(root, 'bin/kartoteka.mjs'), 'serve'], {
        env: environment(),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      for await (const chunk of server.stdout!.setEncoding('utf8'))
        if ((address = /listens on http:\/\/(\S+)/.exec((said += chunk))?.[1] ?? '')) break
    })
    after(async () => {
      server.kill()
      if (server.exitCode === null) await once(server, 'exit')
      rmSync(scratch, { recursive: true })
    })

    it('prints what it says', () => {
      const text = readFileSync(page, 'utf8')
      const steps = [...text.matchAll(blocks)].flatMap(([, block]) => stepsOf(block!))
      const here = (command: string) => command.replaceAll('localhost:3000', address).replaceAll('/tmp/', `${scratch}/`)
      const script = steps.map(({ command }) => `${here(command)}{ code=$?; echo '${END}'; (exit $code); }\n`).join('')
      const { stdout, status } = spawnSync('bash', ['-c', `exec 2>&1\n${script}`], {
        cwd: root,
        env: environment(),
        encoding: 'utf8',
        maxBuffer: 1 << 24,
      })
      const printed = stdout.replaceAll(address, 'localhost:3000').replaceAll(`${scratch}/`, '/tmp/').split(`${END}\n`).slice(0, -1)
      assert.equal(printed.length, steps.length, stdout)
      assert.equal(status, 0)
      if (process.env.UPDATE === '1') {
        let i = 0
        const told = ({ command, printed: expected }: Step, now: string) => `$ ${command}${fits(now, expected) ? expected : now}`
        writeFileSync(
          page,
          text.replace(
            blocks,
            (_, block: string) =>
              `\`\`\`console\n${stepsOf(block)
                .map((step) => told(step, printed[i++]!))
                .join('')}\`\`\``,
          ),
        )
        return
      }
      for (const [i, { command, printed: expected }] of steps.entries())
        assert.ok(fits(printed[i]!, expected), `$ ${command}printed\n${printed[i]!}instead of\n${expected}`)
    })
  })
