/**
 * What a transaction of PostgreSQL sees, as `pg_current_snapshot()` tells it: all transactions before `xmax` that were not running. Ids of
 * transactions (xid8) stay below 2^53.
 */
export class Snapshot {
  readonly text: string
  readonly xmin: number
  readonly xmax: number
  /** Transactions before `xmax` that were running. */
  readonly running: ReadonlySet<number>

  constructor(text: string) {
    const [xmin = '', xmax = '', running = ''] = text.split(':')
    this.text = text
    this.xmin = Number(xmin)
    this.xmax = Number(xmax)
    this.running = new Set(running === '' ? [] : running.split(',').map(Number))
  }

  sees(xid: number): boolean {
    return xid < this.xmax && !this.running.has(xid)
  }

  /** Whether it sees all that the other one sees. */
  isAtLeast(other: Snapshot): boolean {
    if (this.xmax < other.xmax) return false
    for (const xid of this.running) if (other.sees(xid)) return false
    return true
  }
}
