/* What answers of the interface hold. */

export interface Resource {
  readonly type: string
  readonly id: string
  // oxlint-disable-next-line typescript/no-explicit-any -- each type has attributes of its own
  readonly attributes: Readonly<Record<string, any>>
  readonly meta?: { readonly access?: Readonly<Record<string, boolean>> }
  readonly relationships?: Readonly<Record<string, { readonly data?: Identifier | readonly Identifier[] | null }>>
  /** Of a record, where it is known: it has all changes up to this position of the log. */
  readonly asOf?: number
}

export interface Identifier {
  readonly type: string
  readonly id: string
}

export interface Document<Data> {
  readonly data: Data
  readonly included?: readonly Resource[]
  readonly links?: Readonly<Record<string, string | null>>
  readonly meta?: { readonly total?: number; readonly login?: string; readonly batch_id?: number | null }
  /** Of the answer, where it is of one record. */
  readonly etag?: string | undefined
  /** All changes up to this position of the log are in it, where that was asked for (log-positions.ts). */
  readonly cursor?: number
  /** When the request was sent, by the clock of told-values.ts. */
  readonly askedAt?: number
}
