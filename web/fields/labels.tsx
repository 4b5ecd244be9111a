import type { Field } from './field.ts'

/** An option as a coloured label; the colour is by its place among the options. */
export function Label({ field: { options }, text }: { readonly field: Pick<Field, 'options'>; readonly text: string }) {
  const at = options.findIndex((option) => option.label === text)
  return (
    <span className="label" data-hue={at === -1 ? 0 : (at % 12) + 1}>
      {text}
    </span>
  )
}
