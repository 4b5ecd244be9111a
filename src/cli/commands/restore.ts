import { environment } from '../../app.ts'
import type { Config } from '../../config.ts'
import { checkIntegrity } from '../../store/upkeep/check-integrity.ts'
import { localTime } from '../../store/ground/clock.ts'
import { openStore } from '../../store/open.ts'
import { restoreBackup } from '../../store/upkeep/restore.ts'

/** Restores a backup into the data directory and checks it. Returns the exit code, as `check` does. */
export async function restore(config: Config, source: string, moveAside: boolean): Promise<number> {
  const inspect = async (directory: string): Promise<string[]> => {
    const store = await openStore({ directory, environment, settings: config, mustExist: true })
    try {
      const findings: string[] = []
      for await (const finding of checkIntegrity(store)) findings.push(finding)
      return findings
    } finally {
      await store.close()
    }
  }
  const time = localTime(environment.now(), config.timeZone)
  const { files, aside, findings } = await restoreBackup(source, config.data, { inspect, moveAside, time })
  const lines = [
    ...(aside === undefined ? [] : [`The previous contents are now in ${aside}`]),
    ...findings,
    `Restored ${files} files into ${config.data}`,
    ...(findings.length === 0 ? [] : [`${findings.length} findings: the installation was already damaged when it was backed up.`]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return findings.length === 0 ? 0 : 1
}
