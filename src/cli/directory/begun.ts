import { usesSqlite, type Config } from '../../config.ts'
import { withoutSecrets } from '../../store/open.ts'

/** The message where a new installation was made. */
export const begunIn = (config: Config): string =>
  `Created a new installation in ${usesSqlite(config) ? config.data : withoutSecrets(config.databaseUrl)}.`
