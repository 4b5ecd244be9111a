import { operator } from '../store/catalogue/administrator.ts'
import type { Store } from '../store/ground/store.ts'
import { UsageError } from './explain/explain.ts'
import { commands } from './commands.ts'
import type { Perform } from './directory/local-socket.ts'

/** Runs commands on a store. */
export const performOn =
  (store: Store, directory: string): Perform =>
  async ({ name, args, options, inputSize }, input, output, ended) => {
    const command = commands.find((one) => one.name === name)
    if (!command) throw new UsageError(`The running server does not know '${name}'. Is it another version?`)
    return command.run({ store, by: { ...operator }, directory, args, options, input, inputSize, output, ended })
  }
