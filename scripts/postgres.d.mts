import type { ChildProcess } from 'node:child_process'

export interface Cluster {
  readonly directory: string
  /** Of the socket that `url` leads to. */
  readonly host: string
  readonly version: string
  readonly process: ChildProcess
  url(database?: string): string
  direct(database?: string): string
  halt(signal?: NodeJS.Signals): Promise<void>
  stop(): Promise<void>
}

export function startPostgres(options?: {
  settings?: readonly string[]
  directory?: string
  onDisk?: boolean
  programs?: string
  disk?: { readonly directory: string; readonly here: string; readonly through: readonly string[]; readonly logElsewhere: boolean }
}): Promise<Cluster>

export function programsWithTools(): string | undefined
