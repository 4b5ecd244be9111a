import type { Readable } from 'node:stream'
import { Failure, Failures } from '../errors.ts'
import { operator } from '../store/administrator.ts'
import type { Store } from '../store/store.ts'
import { UsageError, type Output } from './command.ts'
import { commands } from './commands.ts'
import { Refused, type Call, type Perform } from './local-socket.ts'

/** Runs commands on a store, for whoever typed them. */
export const performOn = (store: Store, directory: string): Perform =>
  async (call: Call, input: Readable, output: Output) => {
    const command = commands.find(({ name }) => name === call.name)
    if (!command) throw new UsageError(`The server that is running does not know '${call.name}'; is it of another version?`)
    return command.run({ store, by: operator, directory, args: call.args, options: call.options, input, inputSize: call.inputSize, output })
  }

/** What went wrong, for a person; and whether he only has to type it otherwise. Faults of ours are thrown on. */
export function explain(error: unknown): { text: string; usage: boolean } {
  if (error instanceof UsageError) return { text: error.message, usage: true }
  if (error instanceof Refused) return { text: error.message, usage: error.usage }
  if (error instanceof Failure) return { text: error.message, usage: error.code.startsWith('config.') || error.code.startsWith('filter.') }
  if (error instanceof Failures) return { text: error.failures.map(({ message }) => message).join(' '), usage: false }
  const { code, message } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return { text: message, usage: false }
  return { text: `Something went wrong here: ${error instanceof Error ? error.stack : String(error)}`, usage: false }
}
