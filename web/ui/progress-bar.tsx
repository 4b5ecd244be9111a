interface HowFar {
  readonly done: number
  /** Null: nobody knows. */
  readonly total: number | null
}

/** How far a work is; 0 to 1, or undefined where nobody knows. */
export const partOf = ({ done, total }: HowFar): number | undefined =>
  total === null ? undefined : total === 0 ? 1 : Math.min(1, done / total)

export function ProgressBar({ job, title }: { readonly job: HowFar; readonly title: string }) {
  const part = partOf(job)
  const percent = part === undefined ? undefined : Math.floor(part * 100)
  return (
    <div className="progress" role="progressbar" aria-label={title} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
      {part === undefined ? <i className="unknown" /> : <i style={{ width: `${part * 100}%` }} />}
    </div>
  )
}
