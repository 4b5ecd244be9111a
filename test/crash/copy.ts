import assert from 'node:assert/strict'
import { existsSync, readFileSync, truncateSync } from 'node:fs'

/*
 * A copy of all tables, made of nothing but the changes in the feed. Its file has a line for each page that was read, with the cursor after
 * it: so it is the memory of a program that may be killed at any moment.
 */

export interface Change {
  readonly id: string
  readonly attributes: {
    readonly table_id: number
    readonly record_id: number
    readonly action: string
    readonly changes: Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>>
  }
}

export interface Page {
  readonly cursor: string
  readonly changes: readonly Change[]
}

type Held = Map<string, string>

export interface Copy {
  readonly cursor: string
  /** How many changes it is made of. */
  readonly changes: number
  /** By table and record (`7/123`), its attributes; empty ones may be missing. */
  readonly live: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** @throws where a change does not fit the copy: one before it was skipped, or it came twice. */
  take(page: Page): void
}

/** What an attribute shows that has no value. */
const isEmpty = (text: string | undefined): boolean => /^(|0|0\.0*|0000-00-00.*)$/.test(text ?? '')

export function newCopy(): Copy {
  const live = new Map<string, Held>()
  const trash = new Map<string, Held>()
  let [cursor, count, last] = ['', 0, 0]

  function apply({ id, attributes: { table_id, record_id, action, changes } }: Change): void {
    const key = `${table_id}/${record_id}`
    const at = `change ${id}, ${action} of ${key}`
    assert.ok(Number(id) > last, `${at} comes after ${last}`)
    last = Number(id)
    count++
    // A change of structure, rights or users: it is of no record.
    if (table_id === 0) return
    if (action === 'create') {
      assert.ok(!live.has(key) && !trash.has(key), at)
      live.set(key, new Map())
    }
    if (action === 'restore') {
      assert.ok(trash.has(key), at)
      live.set(key, trash.get(key)!)
      trash.delete(key)
    }
    if (action === 'erase') {
      live.delete(key)
      trash.delete(key)
      return
    }
    const held = live.get(key) ?? trash.get(key)
    assert.ok(held, at)
    for (const [name, { from, to }] of Object.entries(changes)) {
      const isMove = action === 'create' || action === 'restore'
      if (!isMove)
        assert.ok(
          held.get(name) === from || (isEmpty(held.get(name)) && isEmpty(from ?? '')),
          `${at}: ${name} was ${held.get(name)}, not ${from}`,
        )
      if (action !== 'delete') held.set(name, to ?? '')
    }
    if (action === 'delete') {
      trash.set(key, held)
      live.delete(key)
    }
  }

  return {
    get cursor() {
      return cursor
    },
    get changes() {
      return count
    },
    live,
    take(page) {
      for (const change of page.changes) apply(change)
      cursor = page.cursor
    },
  }
}

/** The copy in a file, whose last line may be cut off: then it is removed. */
export function readCopy(file: string): Copy {
  const copy = newCopy()
  if (!existsSync(file)) return copy
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole))
  for (const line of whole.split('\n')) if (line !== '') copy.take(JSON.parse(line) as Page)
  return copy
}

/** How the copy of a table differs from what its list shows; undefined where it does not. */
export function differenceFrom(
  copy: Copy,
  table: number,
  records: readonly { readonly id: string; readonly attributes: Readonly<Record<string, string>> }[],
): string | undefined {
  const left = new Set([...copy.live.keys()].filter((key) => key.startsWith(`${table}/`)))
  for (const { id, attributes } of records) {
    const key = `${table}/${id}`
    const held = copy.live.get(key)
    if (!held) return `${key} is missing`
    for (const [name, text] of Object.entries(attributes)) {
      const own = held.get(name)
      if (own !== text && !(isEmpty(own) && isEmpty(text))) return `${key}: ${name} is ${own}, not ${text}`
    }
    left.delete(key)
  }
  return left.size > 0 ? `${[...left].join(', ')} should not be there` : undefined
}
