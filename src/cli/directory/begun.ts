import type { Config } from '../../config.ts'
import { withoutSecrets } from '../../store/open.ts'

/** What is said where there was no installation. */
export const begunIn = ({ data, databaseUrl }: Config): string =>
  `Created a new installation in ${databaseUrl === '' ? data : withoutSecrets(databaseUrl)}.`
