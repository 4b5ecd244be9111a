import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { probes } from '../../src/http/probes.ts'
import { routes } from '../../src/http/routes.ts'
import { asCurl, type Ask } from './play.ts'
import { pages, referencePages } from './pages.ts'
import { BASE, routeName } from './write.ts'

/* docs/reference: every endpoint, and every request typed as it stands there, with curl. */

const folder = new URL('../../docs/reference/', import.meta.url)

const END = '@@ that was'

/** One shell, in which commands are typed one after the other; each tells what it printed. */
function openShell(): { type(command: string): Promise<string>; close(): void } {
  const { stdin, stdout } = spawn('bash', { stdio: ['pipe', 'pipe', 'inherit'], env: { PATH: process.env.PATH } })
  stdout.setEncoding('utf8')
  return {
    type: (command) =>
      new Promise((resolve) => {
        let printed = ''
        const hear = (chunk: string) => {
          if (!(printed += chunk).endsWith(`${END}\n`)) return
          stdout.off('data', hear)
          resolve(printed.slice(0, -END.length - 1))
        }
        stdout.on('data', hear)
        stdin.write(`${command}\necho '${END}'\n`)
      }),
    close: () => stdin.end(),
  }
}

const byCurl =
  (shell: ReturnType<typeof openShell>) =>
  (url: string): Ask =>
  async (request, tokens) => {
    const typed = asCurl(request, BASE).replace('curl --globoff', 'curl --globoff --silent --include').replace(BASE, url)
    const known = [...tokens].map(([name, token]) => `${name}=${token}; `).join('')
    const [head = '', ...rest] = (await shell.type(known + typed)).split('\r\n\r\n')
    const [status = '', ...lines] = head.split('\r\n')
    const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
    return { status: Number(status.split(' ')[1]), headers, text: rest.join('\r\n\r\n') }
  }

describe('docs/reference', () => {
  it('shows every endpoint once', () => {
    const shown = pages.flatMap(({ endpoints }) => endpoints.map(({ route }) => route))
    assert.deepEqual(shown.sort(), [...routes, ...probes].map(routeName).sort())
  })

  it('is what curl is answered to the requests that stand there', async () => {
    const shell = openShell()
    const texts = await referencePages(byCurl(shell)).finally(shell.close)
    assert.deepEqual(readdirSync(folder).sort(), Object.keys(texts).sort())
    for (const [file, text] of Object.entries(texts)) assert.equal(readFileSync(new URL(file, folder), 'utf8'), text, file)
  })
})
