import type { Bench } from './bench.ts'

/** A question that one program answers with a table. */
export interface Question {
  readonly name: string
  readonly says: string
  /** Markdown: one table or several. Everything it does depends on the seed and the options only. */
  measure(bench: Bench): Promise<string>
}
