export interface CitusServer {
  readonly url: string
  halt(signal?: NodeJS.Signals): Promise<void>
  /** After it was halted. */
  restart(): Promise<void>
}

export interface CitusCluster {
  readonly url: string
  readonly version: string
  /** The coordinator first. */
  readonly servers: readonly CitusServer[]
  stop(): Promise<void>
}

export function startCitus(options?: {
  workers?: number
  shards?: number
  onDisk?: boolean
  settings?: readonly string[]
}): Promise<CitusCluster>
