import { useState } from 'react'
import type { Resource } from '../api/client.ts'
import { orderAct, sectionAct } from '../api/structure-acts.ts'
import { fieldOf } from '../fields/field.ts'
import { sameSection, sectionsOf, titlesOf } from '../fields/sections.ts'
import { useWords } from '../i18n/words.ts'
import { ActionsMenu } from './actions-menu.tsx'
import { NameForm } from './name-form.tsx'
import { shifted } from './places.ts'
import type { useActs } from './use-acts.ts'

/** The sections under which records show the fields: named and put in order. Fields come into them by their own settings. */
export function Sections({
  fields,
  table,
  name,
  put,
}: {
  readonly fields: readonly Resource[]
  readonly table: string
  /** Of the table. */
  readonly name: string
  readonly put: ReturnType<typeof useActs>
}) {
  const say = useWords()
  const [naming, setNaming] = useState<string>()
  const all = fields.map(fieldOf)
  const titles = titlesOf(all)
  const sections = sectionsOf(all)
  const first = sections.filter(({ title }) => title === '')
  const titled = sections.filter(({ title }) => title !== '')
  const move = (at: number, by: -1 | 1) => {
    const order = [...first, ...shifted(titled, at, by)].flatMap((section) => section.fields.map(({ id }) => id))
    void put(name, () => orderAct(table, order.map(String)), say('adminMoved', { name: titled[at]!.title }))
  }
  const rename = (section: (typeof titled)[number], typed: string) => {
    const others = titles.filter((one) => one !== section.title)
    const ids = section.fields.map(({ id }) => String(id))
    return put(name, () => sectionAct(table, ids, sameSection(typed, others)), say('adminChanged', { name: typed }))
  }
  if (titled.length === 0) return null
  return (
    <section className="design-sections" aria-labelledby="design-sections">
      <h2 id="design-sections">{say('designerSections')}</h2>
      <ul className="admin-tables">
        {titled.map((section, at) => (
          <li key={section.title} className="row">
            {naming === section.title ? (
              <NameForm
                label={say('adminNameOf', { name: section.title })}
                initial={section.title}
                action={say('adminRename')}
                // A name that is refused stays, to be mended.
                onName={async (typed) => {
                  if (await rename(section, typed)) setNaming((now) => (now === section.title ? undefined : now))
                }}
                onCancel={() => setNaming(undefined)}
              />
            ) : (
              <>
                <span className="grow cut">{section.title}</span>
                <span className="quiet small">{say('designerSectionFields', { count: section.fields.length })}</span>
                <ActionsMenu
                  title={say('adminMoreOf', { name: section.title })}
                  actions={[
                    { title: say('adminRename'), icon: 'edit', run: () => setNaming(section.title) },
                    ...(at > 0 ? [{ title: say('adminMoveUp'), icon: 'arrow-up', run: () => move(at, -1) }] : []),
                    ...(at < titled.length - 1 ? [{ title: say('adminMoveDown'), icon: 'arrow-down', run: () => move(at, 1) }] : []),
                  ]}
                />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
