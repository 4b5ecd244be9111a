import type { Written } from '../../fields/readers.ts'

/** How values are written that are not as requests send them. */
export function showWriting(written: Written | 'ambiguous' | undefined): Readonly<Record<string, unknown>> {
  if (written === undefined) return {}
  if (written === 'ambiguous') return { ambiguous: true }
  if (written.as === 'truth') return { yes_and_no: true }
  if (written.as === 'number') return { decimal: written.decimal }
  const year = written.shortYears === true ? 'YY' : 'YYYY'
  return { date_format: { dmy: `DD.MM.${year}`, mdy: `MM/DD/${year}`, ymd: `${year}/MM/DD` }[written.order] }
}
