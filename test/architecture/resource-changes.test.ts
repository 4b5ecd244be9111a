import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { own } from '../../src/http/resources/own.ts'
import type { Identified, Relation } from '../../src/store/ground/relation.ts'

/* Changes of resources are told to the log by src/store/ground/resource-rows.ts, whichever way they come. */

interface Own {
  readonly type: string
  readonly relation: Relation<Identified>
  readonly members: Readonly<Record<string, { readonly of: string; readonly secret?: true }>>
  readonly create?: unknown
  readonly update?: unknown
  readonly remove?: unknown
}
const resources = own as unknown as readonly Own[]
const logged = resources.filter(({ relation }) => relation.logging)

const sources = globSync('src/**/*.ts')
  .filter((file) => !/\.test\.ts$|\/migrations\/|ground\/resource-rows\.ts$/.test(file))
  .toSorted()
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

/** The parts of a source within the parentheses of a call that tells what its work changes. */
function loggingParts(text: string): (readonly [from: number, to: number])[] {
  return [...text.matchAll(/\b(?:changing|creating|withTable)\(/g)].map(({ index }) => {
    let depth = 0
    for (let at = text.indexOf('(', index); at < text.length; at++) {
      if (text[at] === '(') depth++
      if (text[at] === ')' && --depth === 0) return [index, at]
    }
    return [index, text.length]
  })
}

/** The columns of a row whose change is told; the time of its deletion decides whether it is there. */
function loggedColumns({ columns, logging }: Relation<Identified>): Set<string> {
  const entries = Object.entries<readonly [column: string, type: string]>(columns)
  return new Set(['deleted', ...entries.flatMap(([property, [column]]) => (logging!.silent.includes(property as 'id') ? [] : [column]))])
}

/** Statements that write rows of these tables, outside of what tells it. */
function statementsBeside(table: string, columns: ReadonlySet<string>): string[] {
  const write = new RegExp(`\`\\s*(INSERT INTO|UPDATE|DELETE FROM) ${table}\\b([^\`]*)`, 'g')
  return sources.flatMap(({ file, text }) => {
    const parts = loggingParts(text)
    return [...text.matchAll(write)].flatMap(({ index, 1: verb, 2: rest }) => {
      if (parts.some(([from, to]) => index > from && index < to)) return []
      const set = [...rest!.split(/\bWHERE\b/)[0]!.matchAll(/(?:SET|,)\s+(\w+) =/g)].map(([, column]) => column!)
      if (verb === 'UPDATE' && set.length > 0 && !set.some((column) => columns.has(column))) return []
      return [`${file}: ${verb} ${table}`]
    })
  })
}

describe('changes of resources', () => {
  it('are told under the type of the resource, for each that can be written; an entry of the trash is no resource', () => {
    const written = resources.filter(({ create, update, remove }) => create ?? update ?? remove)
    assert.deepEqual(
      written.filter(({ type, relation }) => relation.logging?.type !== type).map(({ type }) => type),
      ['trash'],
    )
    assert.ok(logged.length >= 10)
  })

  it('are made by resource-rows.ts: no other statement writes a column of theirs that is told', () => {
    // What the service does with its indexes by itself, and a copy of the whole installation, are no changes of resources.
    const isExcepted = (found: string) =>
      /^src\/store\/(?:indexes\/index|upkeep\/migrate-)[\w-]*\.ts: .* (?:indexes|tables)$|^src\/store\/indexes\/indexes\.ts: /.test(found)
    const found = logged.flatMap(({ relation }) => statementsBeside(relation.table, loggedColumns(relation)))
    assert.deepEqual(
      found.filter((one) => !isExcepted(one)),
      [],
    )
    assert.ok(found.some(isExcepted), 'the search finds statements')
  })

  it('hold nothing that the resource does not show: a column that is logged is an attribute of it, and no secret', () => {
    for (const { type, relation, members } of logged) {
      const shown = new Set([
        'id',
        ...relation.logging!.silent,
        ...Object.values(members).flatMap(({ of, secret }) => (secret ? [] : [of])),
      ])
      assert.deepEqual(
        Object.keys(relation.columns).filter((property) => !shown.has(property)),
        [],
        type,
      )
    }
  })

  it('includes the options of fields', () => {
    const files = sources.filter(({ text }) => /(?:INSERT INTO|UPDATE|DELETE FROM) options\b/.test(text)).map(({ file }) => file)
    assert.deepEqual(files, ['src/store/structure/field-options.ts'])
  })
})
