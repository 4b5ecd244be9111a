export interface CitusCluster {
  readonly url: string
  readonly version: string
  stop(): Promise<void>
}

export function startCitus(options?: {
  workers?: number
  shards?: number
  onDisk?: boolean
  settings?: readonly string[]
}): Promise<CitusCluster>
