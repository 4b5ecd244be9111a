import { resolve } from 'node:path'
import { Command as Parser, CommanderError } from 'commander'
import { readConfig, shownSettings, settings, type SettingName } from '../config.ts'
import type { Command } from './contract/command.ts'
import { commands } from './commands.ts'
import { enterDirectory } from './directory/enter-directory.ts'
import { explain } from './explain/explain.ts'
import { report } from './explain/fault.ts'
import { printable, printableLines } from './terminal/printable.ts'
import { performOn } from './perform.ts'
import { runCommand } from './run-command.ts'
import { terminal } from './terminal/terminal.ts'

/** The umask: other users cannot read files that the program makes, which contain data of customers. */
const UMASK = 0o077

/** Runs a command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage, 3 a fault of the program. */
export async function run(argv: readonly string[], version: string): Promise<number> {
  let exit = 0
  const program = new Parser('kartoteka')
    .description('A customer database with tables of your own, over HTTP.')
    .version(version, '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('(--help lists the arguments and options)')
    // The descriptions contain the defaults, as they would be typed.
    .configureHelp({ optionDescription: ({ description }) => description })
    .addHelpText('after', closingWords)
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(printableLines(text)) })
    .hook('preAction', () => void process.umask(UMASK))
  addServe(program)
  addRestore(program, (code) => (exit = code))
  addMigrateStore(program)
  addReopenStore(program)
  addCopyFiles(program, (code) => (exit = code))
  addConvertPhones(program, (code) => (exit = code))
  for (const one of commands) addCommand(program, one, (code) => (exit = code))
  const name = nameOf(program, argv)
  // A closed stdout ends the program quietly, as with `export | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 141 : told(error, name, version)))
  // stderr is closed too.
  process.stderr.on('error', () => process.exit(1))
  process.on('uncaughtException', (error) => process.exit(told(error, name, version)))
  if (argv.length === 0) {
    program.outputHelp()
    return 2
  }
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    return told(error, name, version)
  }
}

/** Prints the error; returns the exit code. */
function told(error: unknown, command: string, version: string): number {
  const { text, usage, fault } = explain(error)
  const file = fault && report(fault, command, version)
  const sent = fault
    ? ` ${file === undefined ? 'A report of it could not be written.' : `Please report it with ${file}, which holds no data of yours.`}`
    : ''
  process.stderr.write(`kartoteka: ${printable(text)}${printable(sent)}\n`)
  return fault ? 3 : usage ? 2 : 1
}

/** The words of the command, without its arguments and options. */
function nameOf(program: Parser, [first, second]: readonly string[]): string {
  const group = program.commands.find((one) => one.name() === first)
  const verb = group?.commands.find((one) => one.name() === second)
  return [group?.name(), verb?.name()].filter(Boolean).join(' ')
}

const groups: Readonly<Record<string, string>> = {
  table: 'Lists, shows, creates, copies and deletes tables.',
  field: 'Creates and deletes fields.',
  user: 'Lists, creates and archives users; sets passwords, invites.',
  token: 'Creates, lists and revokes access tokens.',
  group: 'Lists, creates, renames and deletes groups of users.',
  access: 'Lists, sets and removes rules of access; explains what a user may do.',
  filter: 'Lists, adds, changes and removes saved filters.',
  structure: 'Exports the structure as one document, compares it, applies it.',
  job: 'Lists and cancels jobs.',
  webhook: 'Lists, creates and deletes webhooks; tests them, and sends their deliveries again.',
  trash: 'Lists, restores and erases deleted records, fields and tables.',
}

const closingWords = `
Commands use the data directory (--data, KARTOTEKA_DATA), also while a server
runs on it. Their changes take effect with the next request.

Lost password: type 'kartoteka user passwd admin' on the machine of the data
directory. It sets a new password and prints it.

Exit codes: 0 done, 1 failed, 2 wrong command line, 3 a fault in Kartoteka.`

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
  const parser = program.command('serve').description('Runs the service. On SIGTERM or Ctrl-C it finishes running requests, then exits.')
  addSettings(parser, names)
  parser.action(async (flags: Partial<Record<SettingName, string>>) => {
    const config = readConfig(flags)
    const { serve } = await import('./commands/serve/serve.ts')
    await serve(config, performOn, shownSettings(flags))
  })
}

function addRestore(program: Parser, done: (code: number) => void): void {
  const parser = program
    .command('restore')
    .description('Restores a backup into an empty data directory.')
    .argument('<directory>', 'the backup')
    .option('--move-aside', 'first move the contents of the data directory into a new folder, instead of refusing')
  addSettings(parser, ['data', 'timeZone'])
  parser.action(async (directory: string, { moveAside = false, ...flags }: { moveAside?: boolean; data?: string; timeZone?: string }) => {
    const config = readConfig(flags)
    const { restore } = await import('./commands/restore.ts')
    enterDirectory(config.data)
    done(await restore(config, resolve(directory), moveAside))
  })
}

function addMigrateStore(program: Parser): void {
  const parser = program
    .command('migrate-store')
    .description('Moves an installation between SQLite in the data directory and PostgreSQL. The files of file fields stay where they are.')
    .requiredOption('--from <address>', "'sqlite' or postgres://…; it keeps its data, and is marked as moved")
    .requiredOption('--to <address>', "'sqlite' or postgres://…; it must be empty, or contain an interrupted migration")
  addSettings(parser, ['data'])
  parser.action(async ({ from, to, data }: { from: string; to: string; data?: string }) => {
    const config = readConfig(data === undefined ? {} : { data })
    const { migrate } = await import('./commands/migrate-store.ts')
    const output = terminal()
    await migrate(config, from, to, output).finally(output.close)
  })
}

function addReopenStore(program: Parser): void {
  const parser = program
    .command('reopen-store')
    .description('Makes the old store usable again after migrate-store, with the data it had at that time.')
    .argument('<address>', "'sqlite' or postgres://…")
  addSettings(parser, ['data'])
  parser.action(async (address: string, { data }: { data?: string }) => {
    const config = readConfig(data === undefined ? {} : { data })
    const { reopenStore } = await import('./commands/migrate-store.ts')
    const output = terminal()
    await reopenStore(config, address, output).finally(output.close)
  })
}

function addCopyFiles(program: Parser, done: (code: number) => void): void {
  const parser = program
    .command('copy-files')
    .description(
      'Copies the files of file fields between the data directory and the bucket, also while a server runs; those that are there already stay.',
    )
    .requiredOption('--to <place>', "'bucket' or 'directory'")
  addSettings(parser, ['data'])
  parser.action(async ({ to, data }: { to: string; data?: string }) => {
    const config = readConfig(data === undefined ? {} : { data })
    const { copyFiles } = await import('./commands/copy-files.ts')
    const output = terminal()
    done(await copyFiles(config, to, output).finally(output.close))
  })
}

function addConvertPhones(program: Parser, done: (code: number) => void): void {
  const parser = program
    .command('convert-phones')
    .description(
      'Compares telephone numbers by the rules of another country: writes the keys of all phone fields again. No server may run.',
    )
    .requiredOption('--country <code>', "two letters of ISO 3166, such as RU; 'none': compares them by their digits")
  addSettings(parser, ['data'])
  parser.action(async ({ country, data }: { country: string; data?: string }) => {
    const config = readConfig(data === undefined ? {} : { data })
    const { convert } = await import('./commands/convert-phones.ts')
    const output = terminal()
    done(await convert(config, country, output).finally(output.close))
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
    const call = { name: one.name, args: Object.fromEntries(typed), options, inputSize: 0 }
    const output = terminal(one.files?.(call))
    let isDone = false
    try {
      const code = await runCommand(config, call, one, output)
      isDone = true
      done(code)
    } finally {
      await output.close(isDone)
    }
  })
}
