import type { Administrator } from '../../store/catalogue/administrator.ts'
import type { Store } from '../../store/ground/store.ts'
import { Refused, UsageError } from '../explain/explain.ts'
import type { Files, Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'

/*
 * A command is one file and one row of commands.ts. It runs in the process that has the lock of the data directory, so that there is only
 * one writer: in this process, or in the running server, which is called through its local socket.
 */

/** A command as it was typed. */
export type Typed = Pick<Context, 'args' | 'options'>

export interface Context {
  readonly store: Store
  /** The operator: without a token, with every right. */
  readonly by: Administrator
  /** The data directory. */
  readonly directory: string
  readonly args: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  /** The bytes of the file in the argument marked `file`, and their number (0: unknown). */
  readonly input: AsyncIterable<Uint8Array> | undefined
  readonly inputSize: number
  readonly output: Output
  /** In a running server: aborted when whoever typed the command has gone, or the server stops. A command without an end must end then. */
  readonly ended?: AbortSignal | undefined
}

export interface Argument {
  readonly name: string
  readonly says: string
  /** A file of the user who typed the command: its bytes are sent to the process that runs it. */
  readonly file?: true
  /** A path, made absolute in the process in which it was typed. */
  readonly path?: true
  readonly optional?: true
}

export interface Option {
  /** As commander writes it: `--login <login>`. */
  readonly flags: string
  readonly says: string
  readonly byDefault?: string
  /** May be given several times; arrives as an array. */
  readonly many?: true
  readonly required?: true
}

export interface Command {
  /** One or two words: `token create`. */
  readonly name: string
  readonly says: string
  readonly args: readonly Argument[]
  readonly options: readonly Option[]
  /** The files that it writes, known from the command line alone. */
  readonly files?: (typed: Typed) => Files
  /** Whether, with these options, it makes a new installation where there is none. Other commands refuse, and create nothing there. */
  readonly begins: boolean | ((options: Context['options']) => boolean)
  /** Returns the exit code: 0 done, 1 failed. A Failure or UsageError is printed as its sentence. */
  run(context: Context): Promise<number>
}

export const command = (one: Command): Command => one

export const text = (context: Typed, option: string): string | undefined => {
  const value = context.options[option]
  return typeof value === 'string' ? value : undefined
}

export const many = (context: Context, option: string): readonly string[] => {
  const value = context.options[option]
  return Array.isArray(value) ? (value as readonly string[]) : []
}

/** @throws UsageError where the option is not a whole number of at least `least`. */
export function count(context: Context, option: string, least = 1): number | undefined {
  const value = text(context, option)
  if (value === undefined) return undefined
  if (!/^\d{1,12}$/.test(value) || Number(value) < least)
    throw new UsageError(`--${option} takes a whole number of at least ${least}, not '${value}'.`)
  return Number(value)
}

/** @throws UsageError where the argument is no id. */
export function idOf(context: Context, argument: string): number {
  const id = Number(context.args[argument])
  if (!Number.isSafeInteger(id) || id < 1) throw new UsageError(`'${context.args[argument]}' is not an id.`)
  return id
}

/** @throws Refused where the server stops, or whoever typed the command has gone: what was printed is not all. */
export function mustGoOn({ ended }: Context): void {
  if (ended?.aborted === true) throw new Refused({ text: 'The server stops. What was printed is not all.', usage: false })
}

export type Row = Readonly<Record<string, unknown>>

/** Prints rows as a table, or as one JSON array for scripts. */
export async function show(context: Context, rows: readonly Row[]): Promise<void> {
  if (context.options['json'] === true) await context.output.line(JSON.stringify(rows))
  else await printTable(context, [rows])
}

/** The same for rows that are too many for memory: a page is read when the one before it was printed. @throws Refused as `mustGoOn` */
export async function showPages(context: Context, source: AsyncIterable<readonly Row[]>): Promise<void> {
  const pages = untilEnded(context, source)
  if (context.options['json'] === true) await printArray(context, pages)
  else await printTable(context, pages)
}

async function* untilEnded<T>(context: Context, pages: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const page of pages) {
    mustGoOn(context)
    yield page
  }
}

/** A row on each line. */
async function printArray({ output }: Context, pages: AsyncIterable<readonly Row[]>): Promise<void> {
  let last = ''
  for await (const rows of pages)
    for (const row of rows) {
      await output.line(last === '' ? '[' : `${last},`)
      last = JSON.stringify(row)
    }
  if (last !== '') await output.line(last)
  await output.line(last === '' ? '[]' : ']')
}

/** Columns get wider where a page needs that. */
async function printTable({ output }: Context, pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>): Promise<void> {
  let widths: number[] | undefined
  for await (const rows of pages) {
    const [first] = rows
    if (!first) continue
    const keys = Object.keys(first)
    const cells = rows.map((row) => keys.map((key) => printable(String(row[key] ?? ''))))
    if (!widths) cells.unshift(keys)
    widths = keys.map((_, i) => cells.reduce((widest, row) => Math.max(widest, row[i]!.length), widths?.[i] ?? 0))
    for (const row of cells)
      await output.line(
        row
          .map((cell, i) => cell.padEnd(widths![i]!))
          .join('  ')
          .trimEnd(),
      )
  }
  if (!widths) await output.note('Nothing there.')
}

export const jsonOption: Option = { flags: '--json', says: 'print JSON for scripts' }
