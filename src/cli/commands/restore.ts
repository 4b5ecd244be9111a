import { environment } from '../../app/installation.ts'
import { bucketOf, type Config } from '../../config.ts'
import { checkIntegrity } from '../../store/upkeep/check-integrity.ts'
import { localTime } from '../../store/ground/clock.ts'
import { openFiles, openStore } from '../../store/open.ts'
import { restoreBackup } from '../../store/upkeep/restore.ts'

/** Restores a backup into the data directory and checks it. Returns the exit code, as `check` does. */
export async function restore(config: Config, source: string, moveAside: boolean): Promise<number> {
  const bucket = bucketOf(config)
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
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return findings.length === 0 ? 0 : 1
}
