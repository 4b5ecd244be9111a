import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scratchProgram } from '../scratch-program.ts'

const main = fileURLToPath(new URL('../../bin/kartoteka.mjs', import.meta.url))
const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && echo mounted && shift && exec "$@"'

it('a data directory that can only be read is refused in a sentence, server.directory_read_only', async (context) => {
  const program = scratchProgram()
  await program.begin()
  const own = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  try {
    for (const args of [['serve'], ['check'], ['table', 'list'], ['backup', program.at('copy')]]) {
      const typed = ['sh', '-c', script, 'sh', program.data, process.execPath, main, ...args]
      const { status, stdout, stderr, error } = spawnSync('unshare', [...own, '--mount', ...typed], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, KARTOTEKA_DATA: program.data, PORT: '0' },
      })
      if (error || !stdout.startsWith('mounted')) return context.skip(`no file system can be mounted here: ${stderr}`)
      assert.match(stderr, /^kartoteka: The data directory '.*' is on a file system that can only be read, .*\n$/, args[0])
      assert.deepEqual([status, stdout], [1, 'mounted\n'], args[0])
    }
  } finally {
    await program.remove()
  }
})
