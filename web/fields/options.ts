import { say } from '../i18n/words.ts'
import type { Field } from './field.ts'
import type { Read } from './field-type.ts'

/** Labels as people write them: upper and lower case do not count. */
export function optionsRead({ options }: Pick<Field, 'options'>, labels: readonly string[]): Read {
  const known = new Map(options.map(({ label }) => [label.toLowerCase(), label]))
  const unknown = labels.find((one) => !known.has(one.toLowerCase()))
  return unknown === undefined
    ? { value: [...new Set(labels.map((one) => known.get(one.toLowerCase())!))].join('\r\n') }
    : { error: say('noSuchOption', { label: unknown.slice(0, 80) }) }
}
