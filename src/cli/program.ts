import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { Command as Parser, CommanderError } from 'commander'
import { openInstallation } from '../app.ts'
import { readConfig, settings, type SettingName } from '../config.ts'
import { Failure } from '../errors.ts'
import type { Command, Output } from './command.ts'
import { commands } from './commands.ts'
import { callServer, type Call } from './local-socket.ts'
import { explain, performOn } from './perform.ts'
import { terminal } from './terminal.ts'

/** Runs what was typed. Returns the exit code: 0 done, 1 failed, 2 typed wrong. */
export async function run(argv: readonly string[], version: string): Promise<number> {
  let exit = 0
  const program = new Parser('kartoteka')
    .description('A customer database with tables of your own, over HTTP.')
    .version(version, '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for what can be given)')
    .exitOverride()
  addServe(program)
  addRestore(program)
  for (const one of commands) addCommand(program, one, (code) => (exit = code))
  if (argv.length === 0) {
    program.outputHelp()
    return 2
  }
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 || error.code === 'commander.help' ? 0 : 2
    const { text, usage } = explain(error)
    process.stderr.write(`kartoteka: ${text}\n`)
    return usage ? 2 : 1
  }
}

/** A command of one or two words. */
function parserFor(program: Parser, name: string): Parser {
  const [group, verb] = name.split(' ')
  if (verb === undefined) return program.command(group!)
  const parent = program.commands.find((one) => one.name() === group) ?? program.command(group!).description(`work with ${group}s`)
  return parent.command(verb)
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function addSettings(parser: Parser, names: readonly SettingName[]): void {
  for (const name of names) {
    const { flag, variable, byDefault, help } = settings[name]
    parser.option(`${flag} <${kebab(name)}>`, `${help} (${variable}${byDefault === '' ? '' : `, default ${byDefault}`})`)
  }
}

function addServe(program: Parser): void {
  const names = Object.keys(settings) as SettingName[]
  const parser = program.command('serve').description('Serves the API. Stops in peace on SIGTERM or Ctrl-C.')
  addSettings(parser, names)
  parser.action(async (flags: Partial<Record<SettingName, string>>) => {
    const config = readConfig(flags)
    const { serve } = await import('./serve.ts')
    await serve(config)
  })
}

function addRestore(program: Parser): void {
  const parser = program.command('restore').description('Brings a backup back into an empty data directory.').argument('<directory>', 'the backup')
  addSettings(parser, ['data'])
  parser.action(async (directory: string, flags: { data?: string }) => {
    const config = readConfig(flags)
    const { restoreBackup } = await import('../store/backup.ts')
    const { lockDirectory } = await import('../store/directory-lock.ts')
    const unlock = lockDirectory(config.data)
    try {
      process.stdout.write(`Restored ${await restoreBackup(resolve(directory), config.data)} files into ${config.data}\n`)
    } finally {
      unlock()
    }
  })
}

function addCommand(program: Parser, one: Command, done: (code: number) => void): void {
  const parser = parserFor(program, one.name).description(one.says)
  for (const { name, says, optional } of one.args) parser.argument(optional ? `[${name}]` : `<${name}>`, says)
  for (const { flags, says, byDefault, many, required } of one.options) {
    if (many) parser.option(flags, `${says} (may be repeated)`, (value: string, before: string[]) => [...before, value], [] as string[])
    else if (required) parser.requiredOption(flags, says)
    else parser.option(flags, says, byDefault)
  }
  addSettings(parser, ['data', 'timeZone'])
  parser.action(async (...parameters: unknown[]) => {
    const values = parameters.slice(0, one.args.length) as (string | undefined)[]
    const { data, timeZone, ...options } = parameters[one.args.length] as Record<string, string>
    const config = readConfig({ ...(data !== undefined && { data }), ...(timeZone !== undefined && { timeZone }) })
    const typed = one.args.flatMap(({ name, path }, i): [string, string][] => (values[i] === undefined ? [] : [[name, path ? resolve(values[i]) : values[i]]]))
    const output = terminal()
    try {
      done(await perform(config, { name: one.name, args: Object.fromEntries(typed), options, inputSize: 0 }, one, output))
    } finally {
      await output.close()
    }
  })
}

/** In the server where one runs, else here. */
async function perform(config: ReturnType<typeof readConfig>, typed: Call, one: Command, output: Output): Promise<number> {
  const file = one.args.find((argument) => argument.file)
  const path = file && typed.args[file.name]
  const call = path === undefined ? typed : { ...typed, inputSize: (await stat(path)).size }
  const input = (): Readable | undefined => (path === undefined ? undefined : createReadStream(path))
  const there = await callServer(config.data, call, input(), output)
  if (there !== undefined) return there
  const { store, close } = await installation(config, call, input, output)
  if (!store) return close()
  try {
    return await performOn(store, config.data)(call, input() as Readable, output)
  } finally {
    await close()
  }
}

/** A server may be starting or stopping just now: then its socket or the lock is there within moments. */
async function installation(config: ReturnType<typeof readConfig>, call: Call, input: () => Readable | undefined, output: Output) {
  for (let patience = 50; ; patience--) {
    try {
      return await openInstallation(config)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'server.directory_in_use' || patience === 0) throw error
      await new Promise((next) => setTimeout(next, 100))
      const there = await callServer(config.data, call, input(), output)
      if (there !== undefined) return { store: undefined, close: async () => there }
    }
  }
}
