import { useEffect, useState } from 'react'
import { isSame } from '../api/write-queue.ts'
import { typedAt, typedIn } from '../api/typed.ts'
import { Icon } from '../ui/icon.tsx'
import { useEdits } from './edited.ts'
import { FieldRow } from './field-row.tsx'
import { FieldSections } from './field-sections.tsx'
import { Files } from './files.tsx'
import { linkedIn } from './linked.tsx'
import { Made } from './made.tsx'
import type { OpenRecord } from './use-record.ts'

/** All fields of a record, each with its editor at the same place. */
export function RecordFields({ of }: { readonly of: OpenRecord }) {
  const { id, number, record, fields, isKnown, found, attributes, titleOf, mayUpdate, changed } = of
  const edits = useEdits(number, record)
  const [open, setOpen] = useState<number>()
  // Where somebody was typing when the page was loaded again, they go on.
  useEffect(() => setOpen(fields.find((field) => typedIn(typedAt(field, record)) !== undefined)?.id), [isKnown, id, record])
  return (
    <>
      <FieldSections fields={fields}>
        {(field) =>
          field.type === 'file' || field.type === 'image' ? (
            <div className="field wide" key={field.id}>
              <dt>
                <Icon name={field.type === 'image' ? 'image' : 'clip'} size="s" />
                <span className="cut">{field.title}</span>
              </dt>
              <dd>
                <Files key={record} field={field} id={record} mayEdit={mayUpdate && field.maySet} />
              </dd>
            </div>
          ) : (
            <FieldRow
              key={field.id}
              {...{ field, titleOf, record }}
              value={attributes[field.name]}
              state={edits.states.get(field.name)}
              isChanged={changed.has(field.name)}
              isOpen={open === field.id}
              mayEdit={mayUpdate && field.maySet}
              list={linkedIn(field, record, titleOf, mayUpdate && field.maySet)}
              onOpen={() => setOpen(field.id)}
              onClose={() => setOpen((one) => (one === field.id ? undefined : one))}
              onCommit={(value, before) => {
                // What has been changed by others since the editor was opened is no version that the person has seen.
                const isSeen = [before.held, before.shown].some((one) => isSame(attributes[field.name], one))
                edits.save(field.name, value, isSeen ? found : { data: { attributes: { [field.name]: before.held } } })
              }}
              onInsist={() => edits.insist(field.name)}
              onGive={() => edits.give(field.name)}
            />
          )
        }
      </FieldSections>
      <Made {...{ of }} />
    </>
  )
}
