import type { Route } from '../../src/http/routing/route.ts'
import type { Random } from '../support/random.ts'
import type { World } from './world.ts'

/* Addresses: those of the routes, filled in and then bent. */

const ids = ['1', '1', '1', '2', '2', '3', '4', '5']
/** What may be lost without the rest being lost with it. */
const expendable: Readonly<Record<string, readonly string[]>> = {
  user: ['5', '6'],
  token: ['7', '8', '9'],
  table: ['4', '5'],
  group: ['5', '6', '7'],
}
const others = ['3', '4', '5', '6', '20']
const oddIds = [
  '0', '00', '01', '-1', '+1', '1.0', '1.5', '1e3', '9007199254740991', '9007199254740993', '9223372036854775808', '9'.repeat(40), '%31', '%00', '%20',
  '', ' ', 'NaN', 'null', 'undefined', '__proto__', '1%2F2', '１', '%EF%BC%91', '1;a=b', '1,2', '*', '1%0A', 'x'.repeat(300), '%D9%A1',
] // prettier-ignore
const oddTexts = [
  'f1', '1', 'nothing', '%00', '%2e%2e', '..%2f..%2fetc', '%C3%28', '%ED%A0%80', 'ё', '%D1%91', '%F0%9F%98%80', 'a b', "'", '%27%3B--',
  '<script>', '%0d%0aX: y', 'x'.repeat(2_000), '__proto__', '%', '%2', '%zz',
] // prettier-ignore

/** A path of the route, its places filled in; and what it is then about. */
export function filledPath(
  random: Random,
  { method, path }: Route,
  { fileFields }: World,
  odd: boolean,
): { path: string; type: string; id: string | undefined } {
  let last: string | undefined
  const sound = (name: string): string => {
    if (name === 'field') return random.pick(fileFields)
    if (name === 'table') return random.percent(80) ? '1' : '2'
    if (name === 'name' || name === 'text') return 'a.txt'
    return random.pick(method === 'DELETE' && random.percent(97) ? (expendable[path.split('/')[3]!] ?? others) : ids)
  }
  const filled = path.replace(/\{([a-z]+)(:text)?\}/gi, (_, name: string, text?: string) => {
    last = odd && random.percent(60) ? random.pick(text ? oddTexts : oddIds) : sound(name)
    return last
  })
  const [, , , type = ''] = filled.split('/')
  return { path: filled, type, id: last }
}

export function bentPath(random: Random, path: string): string {
  const at = 1 + random.int(path.length)
  const inserted = (what: string) => path.slice(0, at) + what + path.slice(at)
  switch (random.int(12)) {
    case 0:
      return `${path}/`
    case 1:
      return `${path}//`
    case 2:
      return inserted(
        random.pick(['/', '//', '/./', '/../', '%2F', '%00', '%', '%zz', '%C3%28', ';x=1', '\\', '.', '%2e', '*', ':', '@', '..;/', 'ё']),
      )
    case 3:
      return path.replace(/[a-z]/g, (letter) => (random.percent(20) ? letter.toUpperCase() : letter))
    case 4:
      return path.replace(/[a-z]/g, (letter) => (random.percent(20) ? `%${letter.charCodeAt(0).toString(16)}` : letter))
    case 5:
      return `http://example.org${path}`
    case 6:
      return random.pick([
        '*',
        '/',
        '',
        '//',
        '/api',
        '/api/dev',
        '/api/dev/',
        '/api/dev/data',
        '/api/dev/data1/1/1',
        'api/dev',
        '?',
        '#',
        'http://',
        'example.org:80',
      ])
    case 7:
      return `${path}#fragment`
    case 8:
      return path.slice(0, at)
    case 9:
      return `${path}/${random.pick(['search', 'restore', 'redeem', 'relationships', '1'])}`
    case 10:
      return path.replace('/api/dev', random.pick(['/api/v1', '/API/DEV', '/api/dev/..', '/api//dev', '']))
    default:
      return inserted('x'.repeat(random.pick([100, 5_000])))
  }
}

const filters = [
  'eq(status,0)', 'eq(id,1)', "eq(f1,'text 1')", 'not(eq(id,1))', 'and(eq(id,1),or(gt(id,0)))', 'use_filter(1)', 'use_filter(999)', 'use_filter(1', 'eq(', 'eq)',
  'eq(id)', 'eq(id,1,2)', "eq(id,'x')", 'eq(nothing,1)', 'frob(id,1)', 'EQ(ID,1)', 'eq(id,current_user)', 'gte(add_time,today-30)', 'lt(add_time,now+9999999)', 'eq(id,today)', "eq(f12.f1,'a')", 'not(gt(f12.id,0))', 'eq(f12.f12.id,1)', 'is_empty(f1.f1)', "eq(f7,'2024-02-30')", "between(f3,5,1)",
  "has(f9,'A')", 'is_empty(f1)', "eq(f1,'\0')", "eq(f1,'\ud800')", "contains(f1,'%')", "starts_with(f1,'\u{10ffff}')", 'eq(f3,1e3)', 'eq(f3,99999999999999999999)',
  'in(id,1,2,3)', 'in(id)', 'eq(id,1)eq(id,1)', "eq(f1,''')", 'eq(f1,"x")', 'eq (id , 1)', '((((', 'eq(__proto__,1)', 'constructor(id,1)', '__proto__(id,1)',
  "eq(add_time,'9999-12-31T23:59:59-14:00')", 'eq(id,-0)', 'eq(f16,2)', 'use_filter(1),eq(id,1)', 'and()', 'not()', 'not(eq(id,1),eq(id,2))', "eq(f12,'')",
  "search('text 1')", "search('')", 'search(7)', 'search(f1)', 'search(search(1))', "search('a b c d e f g h i j k')", "not(search('\u{10ffff} ё'))",
] // prettier-ignore
const names = ['filter', 'sort', 'page[offset]', 'page[limit]', 'fields[data1]', 'fields[user]', 'filter[id]', 'filter[f1]', 'filter[id][]', 'include', 'filename',
  'convertMode', 'page', 'page[size]', 'page[number]', 'page[after]', 'Filter', '__proto__', 'constructor', '', 'fields', 'fields[]', 'fields[__proto__]', 'filter[__proto__]',
  'filter[]', 'filter[id', 'page[offset][]', 'a'.repeat(500), 'ё', 'x y', 'sort[]'] // prettier-ignore
const values = ['', '0', '1', '-1', '00', '1.5', '1e3', '999999999999999999999', 'id', '-id', '--id', 'id,id', 'id,-id', ',', 'f1,-f3', 'f999', '__proto__', 'fields', 'fields,x',
  'a.txt', 'lossy', 'safe', 'true', '<50', '>=2024-01-01', '=', '>', 'constructor', 'x'.repeat(1_000), 'ё', '\0', '%', '١', ' 1', '1 ', '+1', 'f1 ', "'", 'null', 'undefined', 'NaN'] // prettier-ignore

/** Query parameters of all kinds, mostly those that the route knows. */
export function oddQuery(random: Random, { query }: Route, world: World): string {
  const known = Object.keys(query)
  const pieces = Array.from({ length: random.int(4) + (random.percent(2) ? 300 : 0) }, () => {
    const name = known.length > 0 && random.percent(90) ? random.pick(known) : random.pick(names)
    return `${coded(random, name)}${random.percent(95) ? '=' : random.pick(['', '==', ' '])}${coded(random, valueOf(random, name, world))}`
  })
  if (random.percent(5) && pieces.length > 0) pieces.push(pieces[0]!)
  return pieces.length > 0 || random.percent(10) ? `?${pieces.join(random.percent(95) ? '&' : random.pick([';', '&&', '?', '&=&']))}` : ''
}

/** A letter with a long run of combining marks: what takes long to bring into a normal form. */
export const marks = (random: Random): string =>
  `a${random.pick(['\u0301', '\u0323\u0301', '\u0301\u0323', '\u05b0\u0591', '\u0f72\u0f71']).repeat(random.pick([15, 16, 31, 200, 4_000, 20_000]))}`

function valueOf(random: Random, name: string, world: World): string {
  if (name !== 'filter' || random.percent(10)) return random.pick(values)
  const filter = random.pick(filters)
  const chance = random.int(100)
  if (chance < 50) return filter
  if (chance < 60) return 'not('.repeat(random.pick([2, 31, 32, 40, 2_000])) + filter
  if (chance < 65) return `or(${Array.from({ length: random.pick([2, 499, 501]) }, () => 'eq(id,1)').join(',')})`
  if (chance < 70) return `in(id,${Array.from({ length: random.pick([10, 1_000, 1_001]) }, (_, i) => i).join(',')})`
  if (chance < 73) return `contains(f1,'${marks(random)}')`
  if (chance < 77) return `contains(f1,'${random.pick(['x', 'ё', '😀']).repeat(random.pick([8_000, 8_192, 9_000]))}')`
  if (chance < 85)
    return filter.replace(/\w+(?=[,)])/, random.pick([...world.fields, 'id', 'status', 'add_time', 'update_time', 'user_id']))
  const at = random.int(filter.length)
  return (
    filter.slice(0, at) + random.pick(["'", '(', ')', ',', ' ', '\\', '\n', '0', '-', '.', 'é', '"']) + filter.slice(at + random.int(2))
  )
}

/** Percent-encoded, well or badly. */
function coded(random: Random, text: string): string {
  const chance = random.int(100)
  const well = encodeURIComponent(text.toWellFormed())
  if (chance < 85) return well
  if (chance < 90) return text.replace(/[^\x21-\x7e]|[#&]/g, '')
  if (chance < 93) return `${well}%`
  if (chance < 95) return `${well}%C3%28`
  if (chance < 97) return `%ED%A0%80${well}`
  return well.replaceAll('%', '%25')
}
