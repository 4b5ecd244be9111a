import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { locale } from '../api/preferences.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { useTitles } from '../fields/titles.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import { Caret } from './caret.tsx'
import { operatorNamed, operatorsOf } from './operators.ts'
import { periodsFor } from './periods.ts'
import { sentence } from './sentence.ts'
import { nothing, readFilter, writeFilter, type Condition, type Group, type Item } from './tree.ts'
import { ValueControl } from './value-control.tsx'
import './filter.css'

/** Groups within groups that are drawn. */
const DEEPEST = 5

/** Builds a filter: rows of field, operator and value in groups, and the same as an expression. */
export function FilterBuilder({
  fields,
  value,
  error,
  faulty = value,
  isReady = false,
  onChange,
}: {
  readonly fields: readonly Field[]
  /** In the language of filters. */
  readonly value: string | undefined
  /** Where nothing is filtered yet, a first condition waits to be filled in. */
  readonly isReady?: boolean
  /** What the service says of `faulty`, which is `value` unless told. */
  readonly error?: unknown
  readonly faulty?: string | undefined
  onChange(value: string | undefined): void
}) {
  const say = useWords()
  const [tree, setTree] = useState<Group>(() => {
    const [first] = fields
    if (isReady && value === undefined && first) return { ...nothing, items: [conditionOn(first)] }
    return readFilter(value, fields) ?? nothing
  })
  const [text, setText] = useState(value ?? '')
  const [isText, setIsText] = useState(readFilter(value, fields) === undefined || error !== undefined)
  const [isNothing, setIsNothing] = useState(readFilter(value, fields) === undefined)
  const titleOf = useTitlesOf(tree, fields)
  const whatIsWrong = useId()
  const expression = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // What had the focus may have been drawn anew with what is wrong.
    if (error !== undefined && document.activeElement === document.body) expression.current?.focus()
  }, [error])
  const put = (next: Group) => {
    setTree(next)
    const written = writeFilter(next, fields)
    setText(written ?? '')
    onChange(written)
  }
  return (
    <div className="filter-builder">
      <p className="says" role="status">
        <Icon name="filter" />
        <span>{isText && isNothing ? say('filterUnread') : sentence(tree, fields, titleOf) || say('filterAll')}</span>
      </p>
      {isText ? (
        <div className="expression">
          <label>
            <span className="name">{say('filterExpression')}</span>
            <textarea
              ref={expression}
              aria-invalid={isNothing || error !== undefined}
              aria-describedby={error === undefined ? undefined : whatIsWrong}
              className={`input mono${isNothing || error !== undefined ? ' wrong' : ''}`}
              rows={4}
              value={text}
              spellCheck={false}
              autoCapitalize="none"
              placeholder={say('filterHint')}
              onChange={({ target }) => {
                setText(target.value)
                const read = readFilter(target.value, fields)
                setIsNothing(read === undefined)
                if (read) setTree(read)
                onChange(target.value.trim() === '' ? undefined : target.value.trim())
              }}
            />
          </label>
          {error !== undefined && (
            <div className="note bad" role="alert" id={whatIsWrong}>
              <Icon name="alert" />
              <span className="grow">
                {say('filterWrong', { detail: told((error as Error).message) })}
                {text === faulty && <Caret {...{ text, error }} />}
              </span>
            </div>
          )}
        </div>
      ) : (
        <GroupRows {...{ fields, titleOf }} group={tree} depth={0} onChange={put} />
      )}
      <button
        type="button"
        className="button small"
        onClick={() => {
          const read = readFilter(text, fields)
          if (isText && read) setTree(read)
          setIsText(!isText || read === undefined)
        }}
      >
        <Icon name={isText ? 'list' : 'code'} />
        <span>{say(isText ? 'filterAsRows' : 'filterAsText')}</span>
      </button>
    </div>
  )
}

/** Not filled in: it selects nothing. */
const conditionOn = (field: Field): Condition => ({
  is: 'condition',
  attribute: field.name,
  operator: operatorsOf(field)[0]!.name,
  values: [],
})

function GroupRows({
  group,
  fields,
  titleOf,
  depth,
  onChange,
}: {
  readonly group: Group
  readonly fields: readonly Field[]
  readonly titleOf: TitleOf
  readonly depth: number
  onChange(group: Group): void
}) {
  const say = useWords()
  const { join, items } = group
  const put = (i: number, item: Item | undefined) =>
    onChange({ ...group, items: items.flatMap((one, at) => (at === i ? (item ? [item] : []) : [one])) })
  const [first] = fields
  const rules = useRef<HTMLDivElement>(null)
  /** The row that gets the focus when it is drawn; -1: the button that adds one. */
  const [next, setNext] = useState<number>()
  useEffect(() => {
    if (next === undefined) return
    const [row, adder] = [rules.current?.querySelectorAll(':scope > .rule')[next], rules.current?.querySelector(':scope > .row > .button')]
    ;(row?.querySelector<HTMLElement>('select') ?? (adder as HTMLElement | null | undefined))?.focus()
    setNext(undefined)
  }, [next])
  const add = (item: Item) => {
    onChange({ ...group, items: [...items, item] })
    setNext(items.length)
  }
  return (
    <div className={depth > 0 ? 'rules nested' : 'rules'} role="group" aria-label={say('filterGroup')} ref={rules}>
      <div className="row">
        <Select name={say('filterJoin')} value={join} onChoose={(next) => onChange({ ...group, join: next as Group['join'] })}>
          <option value="all">{say('joinAll')}</option>
          <option value="any">{say('joinAny')}</option>
          <option value="none">{say('joinNone')}</option>
        </Select>
      </div>
      {items.map((item, i) => (
        // Rows have no names of their own; what is typed lies in their values.
        <div className="rule" key={i}>
          {item.is === 'condition' ? (
            <ConditionRow {...{ item, fields, titleOf }} onChange={(next) => put(i, next)} />
          ) : item.is === 'group' ? (
            <GroupRows group={item} {...{ fields, titleOf }} depth={depth + 1} onChange={(next) => put(i, next)} />
          ) : (
            <code className="cut" title={item.text}>
              {item.text}
            </code>
          )}
          <button
            type="button"
            className="button small square"
            aria-label={say('filterRemove')}
            title={say('filterRemove')}
            onClick={() => {
              put(i, undefined)
              setNext(Math.min(i, items.length - 2))
            }}
          >
            <Icon name="x" />
          </button>
        </div>
      ))}
      <div className="row">
        {first && (
          <button type="button" className="button small" onClick={() => add(conditionOn(first))}>
            <Icon name="plus" />
            <span>{say('filterAdd')}</span>
          </button>
        )}
        {depth < DEEPEST && (
          <button
            type="button"
            className="button small"
            onClick={() => add({ is: 'group', join: join === 'any' ? 'all' : 'any', items: [] })}
          >
            <Icon name="plus" />
            <span>{say('filterAddGroup')}</span>
          </button>
        )}
      </div>
    </div>
  )
}

function ConditionRow({
  item,
  fields,
  titleOf,
  onChange,
}: {
  readonly item: Condition
  readonly fields: readonly Field[]
  readonly titleOf: TitleOf
  onChange(item: Condition): void
}) {
  const say = useWords()
  const field = fields.find(({ name }) => name === item.attribute)!
  const all = operatorsOf(field)
  const choose = (name: string) => {
    const next = fields.find((one) => one.name === name)!
    const keeps = next.type === field.type
    onChange(keeps ? { ...item, attribute: name } : { is: 'condition', attribute: name, operator: operatorsOf(next)[0]!.name, values: [] })
  }
  return (
    <>
      <Select name={say('filterField')} value={field.name} onChoose={choose}>
        {fields.map((one) => (
          <option key={one.name} value={one.name}>
            {one.title}
          </option>
        ))}
      </Select>
      <Select
        name={say('filterOperator')}
        value={item.operator}
        onChoose={(operator) => {
          const keeps = operatorNamed(operator).values === operatorNamed(item.operator).values
          const isFew = operatorNamed(operator).values === 'many' && item.values.length === 1
          onChange({ ...item, operator, values: keeps || isFew ? item.values : usualValues(operator) })
        }}
      >
        {all.map(({ name, message }) => (
          <option key={name} value={name}>
            {say(message)}
          </option>
        ))}
      </Select>
      <ValueControl
        {...{ field, titleOf }}
        operator={item.operator}
        values={item.values}
        onChange={(values) => onChange({ ...item, values })}
      />
    </>
  )
}

/** What a comparison begins with. */
function usualValues(operator: string): readonly string[] {
  const { values } = operatorNamed(operator)
  return values === 'days' ? ['7'] : values === 'period' ? periodsFor(locale()).slice(0, 1) : []
}

/** Titles of what the conditions name. */
export function useTitlesOf(tree: Group, fields: readonly Field[]): TitleOf {
  const [values, named] = useMemo(() => {
    const found: Record<string, string>[] = []
    const walk = (item: Item): void => {
      if (item.is === 'group') item.items.forEach(walk)
      else if (item.is === 'condition') found.push({ [item.attribute]: item.values.filter((one) => /^\d+$/.test(one)).join('-') })
    }
    walk(tree)
    const names = new Set(found.flatMap((one) => Object.keys(one)))
    // Who made a record is looked up where a condition asks for it.
    return [found.slice(0, 200), fields.filter(({ name, isSystem }) => !isSystem || names.has(name))]
  }, [tree, fields])
  return useTitles(undefined, named, values)
}
