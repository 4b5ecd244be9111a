/*
 * The reference page, in the browser: shows the OpenAPI document of this installation as the visitor sees it, and sends requests. It knows
 * what the service writes into that document (documents/openapi.ts). All that comes from the document is written as text, never as HTML. A
 * token stays in the memory of the page; without one, the session of the browser counts.
 */

const documentUrl = new URL('api/dev/openapi.json', globalThis.location.href)
let token = ''

/* The words around what the document says, which is English. */
const words = {
  en: {
    title: 'Kartoteka: reference',
    back: '← To the pages',
    find: 'Find',
    findLabel: 'Find a table or type',
    lead: 'The reference shows the tables and fields that you may see. Sign in at the pages of the service, or give an access token. It is kept in the memory of this page only.',
    token: 'Token',
    show: 'Show',
    wrong: 'This token is not valid, or may not see the reference.',
    away: 'The service did not answer. Try again later.',
  },
  ru: {
    title: 'Картотека: справочник',
    back: '← К страницам',
    find: 'Найти',
    findLabel: 'Найти таблицу или тип',
    lead: 'В справочнике те таблицы и поля, которые вы можете видеть. Войдите на страницах службы или укажите ключ доступа. Он хранится только в памяти этой страницы.',
    token: 'Ключ',
    show: 'Показать',
    wrong: 'Этот ключ недействителен или не открывает справочник.',
    away: 'Служба не ответила. Попробуйте позже.',
  },
}
let language = navigator.language.startsWith('ru') ? 'ru' : 'en'
const say = (name) => words[language][name]
let api = { paths: {}, components: {} }

/** An element with attributes and children: elements, or texts in which `…` is code. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  for (const child of children.flat()) made.append(...(typeof child === 'string' ? withCode(child) : [child]))
  return made
}

function withCode(text) {
  return text.split(/`([^`]*)`/).map((part, i) => {
    if (i % 2 === 0) return part
    const code = document.createElement('code')
    code.textContent = part
    return code
  })
}

const resolved = (part) =>
  part?.$ref
    ? part.$ref
        .slice(2)
        .split('/')
        .reduce((of, name) => of?.[name.replaceAll('~1', '/')], api)
    : part
const nameOf = (part) => part?.$ref?.split('/').at(-1)

function typeOf(schema) {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const some = schema.anyOf ?? schema.oneOf
  if (some) return some.map((one) => nameOf(one) ?? typeOf(one)).join(' | ')
  const type = [schema.type ?? 'any'].flat().join(' | ')
  return schema.items ? `${type} of ${nameOf(schema.items) ?? typeOf(schema.items)}` : type
}

/** The members of a schema as nested lists. `above`: the names of schemas around it, which are not opened again. */
function members(part, above = []) {
  const name = nameOf(part)
  if (name !== undefined && above.includes(name)) return []
  const within = name === undefined ? above : [...above, name]
  const schema = resolved(part) ?? {}
  if (within.length > 6) return []
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  const lists = parts.flatMap((one) => members(one, within))
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return lists
  const rows = properties.map(([key, given]) => {
    const one = { ...resolved(given), ...(given.description && { description: given.description }) }
    const marks = [
      ...(schema.required?.includes(key) ? ['required'] : []),
      ...(one.readOnly ? ['read-only'] : []),
      ...(one.writeOnly ? ['never shown'] : []),
    ]
    const says = [one.title, one.description].filter(Boolean).join(': ')
    const head = [`\`${key}\` `, element('span', { class: 'quiet' }, [nameOf(given) ?? typeOf(one), ...marks].join(', '))]
    return element('li', {}, head, ...(says ? [element('p', {}, says)] : []), members(given, within))
  })
  return [element('ul', { class: 'members' }, rows), ...lists]
}

const contents = (content = {}) =>
  Object.entries(content).flatMap(([media, { schema }]) => [element('p', { class: 'quiet' }, media), ...(schema ? members(schema) : [])])

function parametersOf(operation) {
  return (operation.parameters ?? []).map(resolved)
}

function shown(path, method, operation) {
  const parameters = parametersOf(operation)
  const body = operation.requestBody
  const responses = Object.entries(operation.responses).map(([status, given]) => {
    const { description, content } = resolved(given)
    return element('li', {}, `\`${status}\` ${description}`, Number(status) < 400 ? contents(content) : [])
  })
  return [
    element('p', {}, operation.description ?? ''),
    ...(parameters.length > 0 ? [element('h3', {}, 'Parameters')] : []),
    element(
      'ul',
      { class: 'members' },
      parameters.map((one) =>
        element(
          'li',
          {},
          `\`${one.name}\` `,
          element('span', { class: 'quiet' }, `${one.in}, ${typeOf(one.schema ?? {})}`),
          element('p', {}, one.description ?? ''),
        ),
      ),
    ),
    ...(body ? [element('h3', {}, 'Body'), ...contents(body.content)] : []),
    element('h3', {}, 'Answers'),
    element('ul', { class: 'members' }, responses),
    element('h3', {}, 'Send'),
    sender(path, method, operation),
  ]
}

/** The form that sends a request, and shows what is answered. */
function sender(path, method, operation) {
  const inputs = parametersOf(operation)
    .filter((one) => one.in !== 'header')
    .map((one) => ({ one, input: element('input', { name: one.name, autocomplete: 'off' }) }))
  const [media] = Object.keys(operation.requestBody?.content ?? {})
  const body = media === undefined ? undefined : element('textarea', { spellcheck: 'false', 'aria-label': 'Body' })
  const output = element('pre', { hidden: '' })
  const form = element(
    'form',
    {},
    inputs.map(({ one, input }) => element('label', {}, one.name, input)),
    ...(body ? [element('label', {}, media, body)] : []),
    element('button', { type: 'submit' }, `Send ${method.toUpperCase()}`),
    output,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const valueOf = (name) => inputs.find(({ one }) => one.in === 'path' && one.name === name)?.input.value ?? ''
    const url = new URL(
      path.replace(/^\//, '').replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(valueOf(name))),
      globalThis.location.href,
    )
    for (const { one, input } of inputs) if (one.in === 'query' && input.value !== '') url.searchParams.append(one.name, input.value)
    output.hidden = false
    output.textContent = '…'
    try {
      const answer = await fetch(url, {
        method: method.toUpperCase(),
        headers: { ...identity(), ...(body && { 'Content-Type': media }) },
        ...(body && { body: body.value }),
      })
      output.textContent = `${answer.status} ${answer.statusText}\n\n${indented(await answer.text())}`
    } catch (error) {
      output.textContent = String(error)
    }
  })
  return form
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text.slice(0, 100_000)
  }
}

/** By the token, if there is one; otherwise the session, whose writes need the second header. */
const identity = () => (token === '' ? { 'X-Requested-With': 'kartoteka' } : { 'X-Auth-Token': token })

function operationElement(path, method, operation) {
  const inside = element('div')
  const summary = element(
    'summary',
    {},
    element('span', { class: 'method' }, method.toUpperCase()),
    `\`${path}\` `,
    operation.summary ?? '',
  )
  const made = element('details', { id: operation.operationId }, summary, inside)
  // Made when it is opened: a document may have thousands.
  made.addEventListener('toggle', () => {
    if (made.open && inside.childElementCount === 0) inside.append(...shown(path, method, operation))
  })
  return made
}

function show() {
  const titles = new Map((api.tags ?? []).map((tag) => [tag.name, tag['x-displayName']]))
  const sections = new Map()
  for (const [path, operations] of Object.entries(api.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? ''
      sections.set(tag, [...(sections.get(tag) ?? []), operationElement(path, method, operation)])
    }
  // The tables of the installation come first.
  const ordered = [...sections].sort(([one], [other]) => Number(titles.has(other)) - Number(titles.has(one)))
  const named = ordered.map(([tag, all], i) => ({
    title: titles.has(tag) ? `${titles.get(tag)} (${tag})` : tag,
    all,
    id: `section-${i}`,
  }))
  const links = named.map(({ title, id }) => element('a', { href: `#${id}` }, title))
  const search = element('input', { type: 'search', placeholder: say('find'), 'aria-label': say('findLabel') })
  search.addEventListener('input', () => {
    for (const link of links) link.hidden = !link.textContent.toLowerCase().includes(search.value.toLowerCase())
  })
  const main = named.map(({ title, all, id }) => element('section', { id }, element('h2', {}, title), all))
  const about = element('p', { class: 'quiet' }, api.info.description ?? '')
  content.replaceChildren(element('div', { class: 'columns' }, element('nav', {}, search, links), element('main', {}, about, main)))
}

/** Asks for a token; `why`: what was wrong with the last one. */
function ask(why) {
  const input = element('input', { type: 'password', autocomplete: 'off', 'aria-label': say('token') })
  const form = element(
    'form',
    { class: 'token' },
    element('p', {}, say('lead')),
    element('label', {}, say('token'), input),
    element('button', { type: 'submit' }, say('show')),
    element('p', { role: 'alert' }, why),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    token = input.value.trim()
    void load()
  })
  content.replaceChildren(form)
}

/** The look and the language that the person has chosen in the pages. */
async function likePages() {
  const address = new URL("api/dev/setting?filter=eq(key,'web')", globalThis.location.href)
  const answer = await fetch(address, { headers: identity() }).catch(() => undefined)
  const look = answer?.ok ? (await answer.json()).data?.[0]?.attributes?.value : undefined
  if (['light', 'dark'].includes(look?.theme)) document.documentElement.dataset.theme = look.theme
  if (Object.hasOwn(words, look?.language ?? '')) language = look.language
  frame()
}

function frame() {
  document.documentElement.lang = language
  document.title = say('title')
  document.querySelector('h1').textContent = say('title')
  document.querySelector('header a').textContent = say('back')
}

async function load() {
  const answer = await fetch(documentUrl, { headers: identity() }).catch(() => undefined)
  if (answer?.ok) {
    api = await answer.json()
    await likePages()
    return show()
  }
  const failed = token === '' ? '' : say('wrong')
  ask(answer && [401, 403].includes(answer.status) ? failed : say('away'))
}

const content = document.querySelector('#content')
frame()
await load()
