import { resolve } from 'node:path'
import { Command as Parser, CommanderError } from 'commander'
import { readConfig, settings, type SettingName } from '../config.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { explain } from './explain.ts'
import { runCommand } from './run-command.ts'
import { terminal } from './terminal.ts'

/** Runs what was typed. Returns the exit code: 0 done, 1 failed, 2 typed wrong. */
export async function run(argv: readonly string[], version: string): Promise<number> {
  let exit = 0
  const program = new Parser('kartoteka')
    .description('A customer database with tables of your own, over HTTP.')
    .version(version, '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for what can be given)')
    // Defaults stand in the descriptions, written as one would type them.
    .configureHelp({ optionDescription: ({ description }) => description })
    .addHelpText('after', closingWords)
    .exitOverride()
  addServe(program)
  addRestore(program)
  addMigrateStore(program)
  for (const one of commands) addCommand(program, one, (code) => (exit = code))
  // As programs do that nobody listens to any more: head has seen enough of an export.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 141 : 1))
  if (argv.length === 0) {
    program.outputHelp()
    return 2
  }
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { text, usage } = explain(error)
    process.stderr.write(`kartoteka: ${text}\n`)
    return usage ? 2 : 1
  }
}

const groups: Readonly<Record<string, string>> = {
  table: 'Lists, shows, makes and deletes tables.',
  field: 'Adds fields to tables, and deletes them.',
  user: 'Lists, makes and archives users; passwords and invitations.',
  token: 'Makes, lists and revokes access tokens.',
  trash: 'Lists, restores and erases what was deleted.',
}

const closingWords = `
Commands work on the data directory (--data, KARTOTEKA_DATA), also while a server
runs on it; what they change counts for the next request.

Exit codes: 0 done, 1 failed, 2 typed wrong.`

/** A command of one or two words. */
function parserFor(program: Parser, name: string): Parser {
  const [group, verb] = name.split(' ')
  if (verb === undefined) return program.command(group!)
  const parent = program.commands.find((one) => one.name() === group) ?? program.command(group!).description(groups[group!]!)
  return parent.command(verb)
}

const defaultIs = (value: string | undefined) => (value === undefined || value === '' ? '' : `default ${value}`)

function addSettings(parser: Parser, names: readonly SettingName[]): void {
  for (const name of names) {
    const { flag, variable, byDefault, help } = settings[name]
    const notes = [variable, defaultIs(byDefault)].filter(Boolean).join(', ')
    parser.option(`${flag} <${flag.split('-').at(-1)}>`, `${help} (${notes})`)
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
  const parser = program
    .command('restore')
    .description('Brings a backup back into an empty data directory.')
    .argument('<directory>', 'the backup')
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

function addMigrateStore(program: Parser): void {
  const parser = program
    .command('migrate-store')
    .description(
      'Brings the records from one store to another: between SQLite in the data directory and PostgreSQL. Files stay where they are.',
    )
    .requiredOption('--from <address>', "'sqlite' or postgres://…; left as it is")
    .requiredOption('--to <address>', "'sqlite' or postgres://…; must be empty, or what an earlier run left")
  addSettings(parser, ['data'])
  parser.action(async ({ from, to, data }: { from: string; to: string; data?: string }) => {
    const config = readConfig(data === undefined ? {} : { data })
    const { migrate } = await import('./migrate-store.ts')
    await migrate(config, from, to, terminal())
  })
}

function addCommand(program: Parser, one: Command, done: (code: number) => void): void {
  const parser = parserFor(program, one.name).description(one.says)
  for (const { name, says, optional } of one.args) parser.argument(optional ? `[${name}]` : `<${name}>`, says)
  for (const { flags, says, byDefault, many, required } of one.options) {
    if (many) parser.option(flags, `${says} (may be repeated)`, (value: string, before: string[]) => [...before, value], [] as string[])
    else if (required) parser.requiredOption(flags, says)
    else parser.option(flags, byDefault ? `${says} (${defaultIs(byDefault)})` : says, byDefault)
  }
  addSettings(parser, ['data', 'timeZone'])
  parser.action(async (...parameters: unknown[]) => {
    const values = parameters.slice(0, one.args.length) as (string | undefined)[]
    const { data, timeZone, ...options } = parameters[one.args.length] as Record<string, string>
    const config = readConfig({ ...(data !== undefined && { data }), ...(timeZone !== undefined && { timeZone }) })
    const typed = one.args.flatMap(({ name, path }, i): [string, string][] =>
      values[i] === undefined ? [] : [[name, path ? resolve(values[i]) : values[i]]],
    )
    const output = terminal()
    try {
      done(await runCommand(config, { name: one.name, args: Object.fromEntries(typed), options, inputSize: 0 }, one, output))
    } finally {
      await output.close()
    }
  })
}
