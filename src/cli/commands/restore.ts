import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { environment } from '../../app/installation.ts'
import { bucketOf, type Config } from '../../config.ts'
import { checkIntegrity } from '../../store/upkeep/check-integrity.ts'
import { localTime } from '../../store/ground/clock.ts'
import { openFiles, openStore } from '../../store/open.ts'
import { restoreBackup } from '../../store/upkeep/restore.ts'
import { userName } from '../explain/user-name.ts'
import { shellQuoted } from '../terminal/shell-quoted.ts'

/** Restores a backup into the data directory and checks it. Returns the exit code, as `check` does. */
export async function restore(config: Config, source: string, moveAside: boolean): Promise<number> {
  const bucket = bucketOf(config)
  const isMade = !existsSync(config.data)
  const inspect = async (directory: string): Promise<string[]> => {
    const store = await openStore({ directory, bucket, environment, settings: config, mustExist: true })
    try {
      const findings: string[] = []
      for await (const finding of checkIntegrity(store)) findings.push(finding)
      return findings
    } finally {
      await store.close()
    }
  }
  const time = localTime(environment.now(), config.timeZone)
  const { files, aside, findings } = await restoreBackup(source, config.data, {
    inspect,
    files: bucket && (await openFiles(config.data, bucket)),
    moveAside,
    time,
  })
  const lines = [
    ...(aside === undefined ? [] : [`The previous contents are now in ${aside}`]),
    ...findings,
    `Restored ${files} files into ${config.data}${bucket ? `, those of file fields into the bucket ${bucket.name}` : ''}`,
    ...(findings.length === 0 ? [] : [`${findings.length} findings: the installation was already damaged when it was backed up.`]),
    ...(isMade ? ofRoot(config.data) : []),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return findings.length === 0 ? 0 : 1
}

/** For root, to whom belongs what it has made: how another user gets it. */
function ofRoot(directory: string): readonly string[] {
  if (process.geteuid?.() !== 0) return []
  const { uid } = statSync(dirname(directory))
  const user = uid === 0 ? 'kartoteka' : shellQuoted(userName(uid))
  return [
    `${directory} belongs to root, who has made it. If the service runs as another user, type: chown -R ${user}: ${shellQuoted(directory)}`,
  ]
}
