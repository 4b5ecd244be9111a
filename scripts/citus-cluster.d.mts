export interface CitusWorker {
  readonly url: string
  halt(signal?: NodeJS.Signals): Promise<void>
  /** After it was halted. */
  restart(): Promise<void>
}

export interface CitusCluster {
  readonly url: string
  readonly version: string
  readonly workers: readonly CitusWorker[]
  stop(): Promise<void>
}

export function startCitus(options?: {
  workers?: number
  shards?: number
  onDisk?: boolean
  settings?: readonly string[]
}): Promise<CitusCluster>
