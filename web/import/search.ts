/** What the address of an import says. */
export interface ImportSearch {
  readonly job?: number | undefined
  /** The table that the file goes into, before there is a job. */
  readonly table?: number | undefined
  /** Of the table that is made. */
  readonly name?: string | undefined
  readonly step?: 'fields' | 'check' | undefined
  /** The job of the trial. */
  readonly trial?: number | undefined
}

const idOf = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined)

/** A member that is left out would keep what the address says. */
export const readImport = ({ job, table, name, step, trial }: Record<string, unknown>): ImportSearch => ({
  job: idOf(job),
  table: idOf(table),
  // A name that looks like a number has been read as that.
  name: name === undefined ? undefined : String(name).slice(0, 255),
  step: step === 'fields' || step === 'check' ? step : undefined,
  trial: idOf(trial),
})
