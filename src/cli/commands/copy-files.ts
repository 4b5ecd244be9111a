import { bucketOf, usesSqlite, type Config } from '../../config.ts'
import { openFiles } from '../../store/open.ts'
import { mustHaveDatabase } from '../../store/schema/standing.ts'
import { copyAll } from '../../store/upkeep/copy-files.ts'
import { enterDirectory } from '../directory/enter-directory.ts'
import { UsageError } from '../explain/explain.ts'
import type { Output } from '../terminal/output.ts'

/** Copies all files between the data directory and the bucket. Returns the exit code: 1 where some are damaged. */
export async function copyFiles(config: Config, to: string, output: Output): Promise<number> {
  if (to !== 'bucket' && to !== 'directory') throw new UsageError(`'${to}' is neither 'bucket' nor 'directory'.`)
  const { data: directory } = config
  enterDirectory(directory)
  if (usesSqlite(config)) mustHaveDatabase(directory)
  const bucket = bucketOf(config)
  if (!bucket) throw new UsageError('There is no bucket: KARTOTEKA_S3_BUCKET and the other settings of it are missing.')
  const [here, there] = [await openFiles(directory, undefined), await openFiles(directory, bucket)]
  const [from, target] = to === 'bucket' ? [here, there] : [there, here]
  const { copied, same, damaged } = await copyAll(from, target, (done) => output.progress('files', done))
  for (const hash of damaged) await output.line(`${hash}: its bytes are not those that were stored.`)
  await output.line(`Copied ${copied} files; ${same} were there already${damaged.length > 0 ? `; ${damaged.length} are damaged` : ''}.`)
  return damaged.length === 0 ? 0 : 1
}
