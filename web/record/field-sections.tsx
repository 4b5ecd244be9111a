import { useId, type ReactNode } from 'react'
import type { Field } from '../fields/field.ts'
import { sectionsOf, type Section } from '../fields/sections.ts'

/** The fields of a record under the headings that administrators have given them. */
export function FieldSections({ fields, children }: { readonly fields: readonly Field[]; readonly children: (field: Field) => ReactNode }) {
  return sectionsOf(fields).map((section) => <OneSection key={section.title} section={section} show={children} />)
}

function OneSection({
  section: { title, fields },
  show,
}: {
  readonly section: Section<Field>
  readonly show: (field: Field) => ReactNode
}) {
  const id = useId()
  const list = <dl className="fields">{fields.map(show)}</dl>
  if (title === '') return list
  return (
    <section className="field-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {list}
    </section>
  )
}
