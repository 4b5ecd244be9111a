import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Puts temporary directories of this process where writes wait for no disk: for tests that are not about that. */
export function workInMemory(): void {
  if (existsSync('/dev/shm') && tmpdir() === '/tmp') process.env['TMPDIR'] = '/dev/shm'
}
