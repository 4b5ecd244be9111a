import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { applyStructure, planStructure } from '../../src/documents/structure/apply-structure.ts'
import type { StructureDocument, TablePart } from '../../src/documents/structure/document.ts'
import { exportStructure } from '../../src/documents/structure/export-structure.ts'
import { readDocument } from '../../src/documents/structure/read-document.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Store } from '../../src/store/ground/store.ts'
import * as fc from '../support/fast-check.ts'
import { scratchStore } from '../support/scratch-store.ts'

const groups = [
  { name: 'Administrators', built_in: 'administrators' },
  { name: 'Managers', built_in: 'managers' },
  { name: 'Clients', built_in: 'clients' },
] as const

/** Few names, so that they repeat and come again; some need care where they are named. */
const name = fc.constantFrom('A', 'B', 'Name', 'a b', 'x}y', '{Name}', "it's", 'B#2', 'f1', 'Имя')
const names = fc.array(name, { maxLength: 3 })

const simple = fc.constantFrom(
  { type: 'text', max_length: 20, default: 'x' },
  { type: 'text', unique: true, hint: 'a hint', section: 'Name' },
  { type: 'integer', min: '1', max: '9' },
  { type: 'decimal', scale: 3, required: true },
  { type: 'list', options: ['Red', 'Green', "o'x"], default: 'Green' },
  { type: 'list', options: ['Green', 'Blue'] },
  { type: 'file', file_extensions: ['pdf', 'txt'], max_files: 2 },
  { type: 'date', default: 'today' },
  { type: 'boolean' },
)

interface Sketch {
  readonly name: string
  readonly category: boolean
  readonly fields: readonly { readonly name: string; readonly of: object | number }[]
  readonly filters: readonly string[]
  readonly views: readonly string[]
  readonly access: boolean
}
const sketch: fc.Arbitrary<Sketch> = fc.record({
  name,
  category: fc.boolean(),
  fields: fc.array(fc.record({ name, of: fc.oneof({ weight: 3, arbitrary: simple }, fc.nat(2)) }), { maxLength: 4 }),
  filters: names,
  views: names,
  access: fc.boolean(),
})

/** What names fields is put in by `apply` itself: a first version without, and then what its export names. */
function documentOf(sketches: readonly Sketch[], categories: readonly string[], extra: readonly string[]): StructureDocument {
  const keys = keyed(sketches.map((one) => one.name))
  const [category] = categories
  const tables = sketches.map((one): TablePart => {
    const fieldKeys = keyed(one.fields.map((field) => field.name))
    const braced = fieldKeys.map((key) => `{${key.replaceAll('}', '}}')}}`)
    const text = one.fields.findIndex(({ of }) => typeof of === 'object' && 'type' in of && of.type === 'text')
    const expression = text < 0 ? 'eq(status,0)' : `and(eq(${braced[text]},'f1 {A}'),not(is_empty(${braced[text]})))`
    return {
      name: one.name,
      ...(one.category && category !== undefined && { category }),
      ...(isDifferent(one.fields.map((field) => field.name)) && { unique_field_names: true }),
      fields: one.fields.map(({ name: title, of }) => ({
        name: title,
        ...(typeof of === 'number' ? { type: 'reference', reference_table: keys[of % keys.length]! } : (of as { type: string })),
      })),
      filters: one.filters.map((title) => ({ name: title, expression })),
      views: one.views.map((title) => ({
        name: title,
        kind: 'grid',
        ...(text >= 0 && {
          filter: expression,
          sort: `-${braced[text]},add_time,-update_time`,
          columns: [{ attribute: braced[text]!, width: 90 }],
        }),
      })),
      access: one.access
        ? [
            {
              group: 'Managers',
              rights: ['read', 'update'],
              read_filter: 'eq(status,0)',
              fields: text < 0 ? {} : { [braced[text]!]: 'hidden' },
            },
          ]
        : [],
    }
  })
  return {
    format: 'kartoteka-structure',
    version: 1,
    categories: categories.map((title) => ({ name: title })),
    groups: [...groups, ...extra.map((title) => ({ name: title }))],
    tables,
  }
}

const isDifferent = (all: readonly string[]) => new Set(all.map((one) => one.toLowerCase())).size === all.length && all.length === 2

function keyed(all: readonly string[]): string[] {
  const taken = new Set(all)
  return all.map((one, i) => {
    if (all.indexOf(one) === i) return one
    let n = 2
    while (taken.has(`${one}#${n}`)) n++
    taken.add(`${one}#${n}`)
    return `${one}#${n}`
  })
}

describe('the structure of an installation as a document', () => {
  let one: Awaited<ReturnType<typeof scratchStore>>
  let other: Awaited<ReturnType<typeof scratchStore>>
  before(async () => {
    ;[one, other] = [await scratchStore(), await scratchStore()]
  })
  after(async () => {
    await one.remove()
    await other.remove()
  })

  const exported = async (store: Store) => (await exportStructure(store)).document
  const apply = (store: Store, document: StructureDocument) =>
    applyStructure(store, operator, readDocument(JSON.stringify(document)), { deletes: true, mayDo: () => undefined })

  it('any structure, applied over any other, is exported again, and is the same in another installation', async () => {
    const random = fc.tuple(
      fc.array(sketch, { maxLength: 3 }),
      fc.uniqueArray(name, { maxLength: 2 }),
      fc.uniqueArray(name, { maxLength: 2 }),
    )
    await fc.assert(
      fc.asyncProperty(random, async ([sketches, categories, extra]) => {
        const document = documentOf(sketches, categories, extra)
        await apply(one.store, document)
        const first = await exported(one.store)
        assert.deepEqual(shape(first), shape(document))
        assert.deepEqual((await planStructure(one.store, first, { deletes: true })).steps, [])
        await apply(other.store, first)
        assert.equal(JSON.stringify(await exported(other.store)), JSON.stringify(first))
      }),
      { numRuns: 12 },
    )
  })

  it('names of fields that must differ may repeat while some come and others go', async () => {
    const scratch = await scratchStore()
    const table = (unique: boolean, ...names: string[]): StructureDocument => ({
      format: 'kartoteka-structure',
      version: 1,
      tables: [{ name: 'Things', ...(unique && { unique_field_names: true }), fields: names.map((one) => ({ name: one, type: 'text' })) }],
    })
    for (const document of [
      table(false, 'Name', 'Name'),
      table(true, 'Name', 'Other'),
      table(true, 'NAME', 'Another'),
      table(false, 'NAME'),
    ]) {
      await apply(scratch.store, document)
      assert.deepEqual(shape(await exported(scratch.store)).tables, shape(document).tables)
      assert.deepEqual((await planStructure(scratch.store, await exported(scratch.store), { deletes: true })).steps, [])
      const [now] = (await exported(scratch.store)).tables!
      assert.equal(now!.unique_field_names ?? false, document.tables![0]!.unique_field_names ?? false)
    }
    await scratch.remove()
  })

  /** What the document says by itself: tables of a category stand together, and lists without an order by name. */
  function shape({ categories, groups: all, tables }: StructureDocument) {
    const sorted = <T>(list: readonly T[] = []) => list.map((part) => JSON.stringify(part)).sort()
    return {
      categories,
      groups: sorted(all),
      tables: sorted(
        tables?.map((table) => ({ name: table.name, category: table.category, fields: table.fields?.map((field) => field.type) })),
      ),
      filters: sorted(tables?.flatMap(({ filters = [] }) => filters.map((filter) => filter.name))),
      views: sorted(tables?.flatMap(({ views = [] }) => views.map((view) => view.name))),
      access: sorted(tables?.flatMap(({ access = [] }) => access.map(({ rights, read_filter }) => ({ rights, read_filter })))),
    }
  }
})
