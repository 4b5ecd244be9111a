import { locale } from '../api/preferences.ts'

/** A time of the service, as people write it. Times have no zone: they are shown as they are. */
export function Time({ text }: { readonly text: string }) {
  const time = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(time)) return null
  const words = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(time)
  return <time dateTime={text}>{words}</time>
}
