import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { rules } from '../api/people.ts'
import { categories, groups, tables } from '../api/queries.ts'
import { ruleOf, setRule } from '../api/rights.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import { Legend, LevelMark } from './level.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import { ADMINISTRATORS, levelOf, rightsOf, type Preset } from './rights.ts'
import type { RightsSearch } from './people-search.ts'
import { inPlaces } from './places.ts'
import { Matrix, type Section } from './rights-matrix.tsx'
import { RulePanel } from './rule-panel.tsx'
import { useDoing } from './use-doing.ts'
import './rights.css'

type Values = Readonly<Record<string, unknown>>

/** What each group may do with each table; each change is saved at once and can be taken back. */
export const RightsPage = () => (
  <OnlyAdministrators of="access">
    <Rights />
  </OnlyAdministrators>
)

function Rights() {
  const say = useWords()
  const navigate = useNavigate()
  const { group, table, ask } = useSearch({ from: '/framed/admin/rights' })
  const [words, setWords] = useState('')
  const doing = useDoing()
  const list = { rules: useQuery(rules), groups: useQuery(groups), tables: useQuery(tables), categories: useQuery(categories) }
  const all = useSections(list.tables.data?.data, list.categories.data?.data)
  const given = (list.groups.data?.data ?? []).filter(({ id }) => Number(id) !== ADMINISTRATORS)
  const { sections, shown } = useFound(words, all, given)
  const show = (next: RightsSearch) => void navigate({ to: '/admin/rights', search: next })
  const error = Object.values(list).find((one) => one.error && !one.data)
  const isThere = Object.values(list).every((one) => one.data)
  const open = { group: given.find(({ id }) => id === String(group)), table: list.tables.data?.data.find(({ id }) => id === String(table)) }
  const chosen = open.group ?? given[0]
  const isOpen = ask === true || (open.group !== undefined && open.table !== undefined)

  /** Several rules, one after the other; all of them are taken back together. */
  const setRules = async (of: Resource, wished: readonly (readonly [table: number, values: Values | null])[], where: string) => {
    const before: (readonly [table: number, values: Values | null])[] = []
    const takeBack = () => void doing.run(() => setRules(of, before.toReversed(), where))
    try {
      for (const [one, values] of wished) before.push([one, await setRule(Number(of.id), one, values)])
    } finally {
      if (before.length > 0)
        toast(say('rightsGiven', { group: String(of.attributes['group_name']), where, count: before.length }), takeBack)
    }
  }
  const preset = (of: Resource, some: readonly Resource[], where: string, level: Preset) => {
    const others = some.filter(({ id }) => levelOf(ruleOf(list.rules.data, Number(of.id), Number(id))?.attributes) !== level)
    if (others.length === 0) return toast(say('rightsGivenIs'))
    const values = level === 'none' ? null : rightsOf(level)
    return void doing.run(() =>
      setRules(
        of,
        others.map(({ id }) => [Number(id), values] as const),
        where,
      ),
    )
  }

  return (
    <>
      <Head title={say('rightsTitle')}>
        <button type="button" className="button line" onClick={() => show({ ask: true })}>
          <Icon name="eye" />
          {say('explainTitle')}
        </button>
      </Head>
      <div className="designer" data-open={isOpen || undefined}>
        <div className="admin rights">
          {error ? (
            <Trouble error={error.error} again={() => void error.refetch()} />
          ) : !isThere ? (
            <Skeleton />
          ) : all.length === 0 ? (
            <section className="empty">
              <h2>{say('rightsNoTables')}</h2>
            </section>
          ) : (
            <>
              <p className="quiet only-wide">{say('rightsLead')}</p>
              <search className="rights-find">
                <label className="input only-wide">
                  <Icon name="search" />
                  <input
                    type="search"
                    aria-label={say('rightsFind')}
                    placeholder={say('rightsFind')}
                    value={words}
                    onChange={({ target }) => setWords(target.value)}
                  />
                </label>
                <span className="only-phone grow">
                  <Select name={say('userGroup')} value={chosen?.id ?? ''} onChoose={(id) => show({ group: Number(id) })}>
                    {given.map(({ id, attributes }) => (
                      <option key={id} value={id}>
                        {String(attributes['group_name'])}
                      </option>
                    ))}
                  </Select>
                </span>
              </search>
              {doing.is === 'refused' && <Trouble error={doing.error} />}
              <Legend />
              <div className="only-wide rights-scroll" tabIndex={0} role="region" aria-label={say('rightsMatrix')}>
                <Matrix
                  groups={shown}
                  sections={sections}
                  rules={list.rules.data!}
                  open={isOpen && group && table ? `${group}:${table}` : undefined}
                  onOpen={(one, other) => show({ group: one, table: other })}
                  onPreset={preset}
                />
              </div>
              {chosen && (
                <div className="only-phone">
                  {all.map((section) => (
                    <section key={section.id} aria-label={section.title}>
                      <h2>{section.title}</h2>
                      <ul className="admin-tables">
                        {section.tables.map((one) => (
                          <li key={one.id} className="row">
                            <button
                              type="button"
                              className="level row grow"
                              onClick={() => show({ group: Number(chosen.id), table: Number(one.id) })}
                            >
                              <span className="cut grow">{String(one.attributes['table_name'])}</span>
                              <LevelMark rule={ruleOf(list.rules.data, Number(chosen.id), Number(one.id))} />
                            </button>
                          </li>
                        ))}
                      </ul>
                    </section>
                  ))}
                </div>
              )}
            </>
          )}
        </div>
        {ask ? (
          <ExplainPanel tables={list.tables.data?.data ?? []} groups={list.groups.data?.data ?? []} onClose={() => show({})} />
        ) : (
          isThere &&
          open.group &&
          open.table && (
            <RulePanel
              key={`${open.group.id}:${open.table.id}`}
              group={open.group}
              table={open.table}
              rule={ruleOf(list.rules.data, Number(open.group.id), Number(open.table.id))}
              // On a phone the group stays chosen.
              onClose={() => show({ group })}
            />
          )
        )}
      </div>
    </>
  )
}

function useSections(all: readonly Resource[] = [], known: readonly Resource[] = []): readonly Section[] {
  const say = useWords()
  const named = inPlaces(known, 'sequence_number').map(({ id, attributes }) => ({ id, title: String(attributes['category_name']) }))
  return [...named, { id: '', title: say(named.length > 0 ? 'otherTables' : 'tables') }].flatMap(({ id, title }) => {
    const isIn = (category: string) => (id === '' ? !named.some((one) => one.id === category) : category === id)
    const some = all.filter(({ attributes }) => isIn(String(attributes['category_id'])))
    return some.length === 0 ? [] : [{ id, title, tables: inPlaces(some, 'category_sequence_number') }]
  })
}

/** The groups and the tables with some letters in their names; where only one of both has them, all of the other. */
function useFound(words: string, all: readonly Section[], given: readonly Resource[]) {
  const wanted = words.trim().toLocaleLowerCase()
  const has = (name: unknown) => String(name).toLocaleLowerCase().includes(wanted)
  const shown = given.filter(({ attributes }) => has(attributes['group_name']))
  const sections = all.flatMap((section) => {
    const some = section.tables.filter(({ attributes }) => has(attributes['table_name']))
    return some.length === 0 ? [] : [{ ...section, tables: some }]
  })
  return { shown: shown.length === 0 ? given : shown, sections: sections.length === 0 ? all : sections }
}
