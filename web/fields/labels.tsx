import type { Field } from './field.ts'

/** The colour of the option at this place; -1: it is none. */
export const hueAt = (place: number): number => (place === -1 ? 0 : (place % 12) + 1)

/** An option as a coloured label; the colour is by its place among the options. */
export function Label({ field: { options }, text }: { readonly field: Pick<Field, 'options'>; readonly text: string }) {
  const at = options.findIndex((option) => option.label === text)
  return (
    <span className="label" data-hue={hueAt(at)}>
      {text}
    </span>
  )
}
