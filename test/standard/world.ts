import { startService, type Service } from '../support/service.ts'

/* What the tests of each section of JSON:API 1.1 begin with: two tables, one of which refers to the other, and some of everything else. */

export interface World {
  readonly service: Service
  /** Types of records. */
  readonly cities: string
  readonly people: string
  /** Attributes. */
  readonly city: string
  readonly name: string
  readonly age: string
  readonly home: string
  readonly visited: string
  readonly papers: string
  /** Relationships of people: to one city, and to several; and of cities, to the people who live there. */
  readonly toHome: string
  readonly toVisited: string
  readonly inhabitants: string
  /** Ids of records: of two cities, and of somebody who lives in the first and has been in both. */
  readonly porto: string
  readonly lyon: string
  readonly ana: string
}

export async function startWorld(): Promise<World> {
  const service = await startService()
  const towns = await service.table('Cities', { city: 'text' })
  const to = { referenceTableId: towns.id }
  const of = await service.table('People', {
    name: 'text',
    age: 'integer',
    home: { typeName: 'reference', ...to },
    visited: { typeName: 'references', ...to },
    papers: 'file',
  })
  const [cities, people] = [`data${towns.id}`, `data${of.id}`]
  const { name, age, home, visited, papers } = of.fields as Record<string, string>
  const city = towns.fields['city']!
  const [porto, lyon] = [await service.make(cities, { [city]: 'Porto' }), await service.make(cities, { [city]: 'Lyon' })]
  const paper = { file_name: 'a.txt', content: 'x' }
  const ana = await service.make(people, {
    [name!]: 'Ana',
    [age!]: 30,
    [home!]: porto,
    [visited!]: `-${porto}-${lyon}-`,
    [papers!]: [paper],
  })
  const [toHome, toVisited] = [`r${home!.slice(1)}`, `r${visited!.slice(1)}`]
  const attributes = { name: name!, age: age!, home: home!, visited: visited!, papers: papers!, city }
  return { service, cities, people, ...attributes, toHome, toVisited, inhabitants: `${people}_${toHome}`, porto, lyon, ana }
}

/** One of each resource of the service itself, so that its lists have something to show. */
export async function makeOneOfEach({ service, people, name }: World): Promise<void> {
  const table_id = Number(people.slice('data'.length))
  await service.make('category', { category_name: 'x' })
  await service.make('filter', { table_id, filter_name: 'x', expression: 'eq(status,0)' })
  await service.make('view', { table_id, view_name: 'x' })
  await service.make('access', { group_id: 2, table_id, read: true })
  await service.make('setting', { key: 'x', value: 1 })
  const user_id = Number(await service.make('user', { login: 'otto', fio: 'Otto', group_id: 2 }))
  await service.make('invitation', { user_id })
  const webhook = await service.make('webhook', { url: 'https://example.com/', table_id: 0 })
  await service.call('POST', `webhook/${webhook}/test`)
  await service.make('index', { table_id, attribute: name, kind: 'text' })
  await service.remove(`${people}/${await service.make(people, {})}`)
}

/** An address of a route: of what there is in the world, or, where the route has other parameters, of what there is not. */
export const addressOf = ({ people, ana }: World, path: string): string =>
  path.replace(/\{(\w+)(:\w+)?\}/g, (_, name: string, text?: string) =>
    name === 'table' ? people.slice('data'.length) : name === 'record' ? ana : text ? 'x' : '1',
  )
