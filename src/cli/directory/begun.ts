import type { Config } from '../../config.ts'
import { withoutSecrets } from '../../store/open.ts'

/** The message where a new installation was made. */
export const begunIn = ({ data, databaseUrl }: Config): string =>
  `Created a new installation in ${databaseUrl === '' ? data : withoutSecrets(databaseUrl)}.`
