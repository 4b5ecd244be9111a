import type { Field } from './field.ts'
import { hueAt } from './hues.ts'

/** An option as a coloured label; the colour is by its place among the options. */
export function Label({ field: { options }, text }: { readonly field: Pick<Field, 'options'>; readonly text: string }) {
  const at = options.findIndex((option) => option.label === text)
  return (
    <span className="label" data-hue={hueAt(at)}>
      {text}
    </span>
  )
}
