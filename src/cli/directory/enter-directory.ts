import { accessSync, constants, readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail } from '../../errors.ts'
import { Refused } from '../explain/explain.ts'
import { shellQuoted } from '../terminal/shell-quoted.ts'
import { userName } from '../explain/user-name.ts'

/* Who owns the data directory, and as which user a process works in it. */

const program = fileURLToPath(new URL('../../../package.json', import.meta.url))
/** Takes on the groups of a user. Node has this function; its types do not. */
const { initgroups } = process as unknown as { initgroups(user: string, group: number): void }
/** The files and folders that a process writes in the directory itself. */
const OURS = /^(kartoteka\.sqlite|lock\.sqlite|files$)/

/**
 * Called before anything is opened or created in an existing data directory. A process of root becomes a process of the directory's
 * owner, so that it creates no files that the owner cannot write. `before` is called first, for what only root can do.
 * @throws Refused where the directory, or one of its files, cannot be read and written
 */
export function enterDirectory(directory: string, before: () => void = () => undefined): void {
  const found = process.platform === 'win32' ? undefined : statSync(directory, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return
  if (process.geteuid!() === 0 && found.uid !== 0) {
    before()
    become(found, directory)
  }
  mustBeUsable(directory, directory, found.uid)
  for (const name of readdirSync(directory)) if (OURS.test(name)) mustBeUsable(join(directory, name), directory, found.uid)
}

function become({ uid, gid }: Stats, directory: string): void {
  const name = userName(uid)
  try {
    try {
      initgroups(name, gid)
    } catch {
      process.setgroups!([gid])
    }
    process.setgid!(gid)
    process.setuid!(uid)
  } catch {
    throw refused(
      `The data directory '${directory}' belongs to the user ${name}, and root cannot switch to that user here. Type the command as that user.`,
    )
  }
  try {
    accessSync(program, constants.R_OK)
  } catch {
    throw refused(
      `The data directory '${directory}' belongs to the user ${name}, who cannot read this program. Move the program to a place that every user can read, such as /opt/kartoteka.`,
    )
  }
}

function mustBeUsable(path: string, directory: string, owner: number): void {
  const isDirectory = path === directory
  try {
    accessSync(path, constants.R_OK | constants.W_OK | (isDirectory ? constants.X_OK : 0))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    if (code === 'EROFS') throw fail('server.directory_read_only', { directory })
    if (code !== 'EACCES') throw error
    throw refused(whyNot(path, directory, owner))
  }
}

function whyNot(path: string, directory: string, owner: number): string {
  const me = process.geteuid!()
  const of = path === directory ? owner : statSync(path, { throwIfNoEntry: false })?.uid
  // What root has copied or unpacked for a service, or the directory of a service of root.
  if (owner !== me && owner === 0)
    return `The data directory '${directory}' belongs to root. Type the command as root; or, where the service runs as the user ${userName(me)}, give the directory to that user, as root: chown -R ${shellQuoted(userName(me))}: ${shellQuoted(directory)}`
  if (owner !== me)
    return `The data directory '${directory}' belongs to the user ${userName(owner)}. Type the command as that user: sudo -u ${shellQuoted(userName(owner))} …`
  if (of !== me)
    return `'${path}' belongs to the user ${userName(of ?? 0)}, and ${userName(me)} cannot write it. As root, run: chown -R ${shellQuoted(userName(me))}: ${shellQuoted(directory)}`
  return `The user ${userName(me)} cannot read and write '${path}'. Run: chmod -R u+rwX ${shellQuoted(directory)}; the directories above need execute permission.`
}

const refused = (text: string) => new Refused({ text, usage: false })
