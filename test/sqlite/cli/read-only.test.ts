import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scratchProgram } from '../../support/scratch-program.ts'

const main = fileURLToPath(new URL('../../../bin/kartoteka.mjs', import.meta.url))
const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && echo mounted && shift && exec "$@"'

it('a data directory that can only be read is refused in a sentence, server.directory_read_only', async (context) => {
  const program = scratchProgram()
  await program.begin()
  const own = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  try {
    const other = program.at('other')
    cpSync(program.data, other, { recursive: true })
    const within = join(program.data, 'new')
    for (const [data, ...args] of [
      [program.data, 'serve'],
      [program.data, 'check'],
      [program.data, 'table', 'list'],
      [program.data, 'backup', program.at('copy')],
      [program.data, 'restore', program.at('copy'), '--move-aside'],
      [program.data, 'migrate-store', '--from', 'sqlite', '--to', 'postgres://nobody@127.0.0.1:9/none'],
      [program.data, 'convert-phones', '--country', 'RU'],
      [within, 'serve'],
      [within, 'demo', '--records', '1'],
      [other, 'backup', join(program.data, 'copy')],
    ] as [string, ...string[]][]) {
      const typed = ['sh', '-c', script, 'sh', program.data, process.execPath, main, ...args]
      const { status, stdout, stderr, error } = spawnSync('unshare', [...own, '--mount', ...typed], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, KARTOTEKA_DATA: data, PORT: '0' },
      })
      if (error || !stdout.startsWith('mounted')) return context.skip(`no file system can be mounted here: ${stderr}`)
      const place = data === other ? "'.*/copy'" : "The data directory '.*'"
      assert.match(stderr, new RegExp(`^kartoteka: ${place} is on a read-only file system[,.].*\\n$`), `${args[0]} ${data}`)
      assert.deepEqual([status, stdout], [1, 'mounted\n'], `${args[0]} ${data}`)
    }
  } finally {
    await program.remove()
  }
})
