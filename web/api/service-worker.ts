/*
 * Runs beside the pages in browsers that allow it (https, or this machine), and shows them where the service cannot be reached: the page and its
 * parts of one build, never an answer of the interface. While the service can be reached the page comes from it, so that no older build is shown.
 * Each build has a list of parts of its own in it (scripts/build-web.ts): a browser that asks for this file takes the new ones.
 */

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Asking extends Waiting {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
interface Scope {
  readonly registration: ServiceWorkerRegistration
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: Waiting) => void): void
  addEventListener(type: 'fetch', listener: (event: Asking) => void): void
}

declare const __PARTS__: readonly string[]

const scope = globalThis as unknown as Scope
const parts = __PARTS__
const NAME = 'kartoteka-pages '
/** Another one for each build. */
const current = NAME + parts.join()
const PAGE = '/'
/** Not pages: what they say comes from the service alone. */
const OTHERS = /^\/(?:api|assets|docs|reference|healthz|readyz|metrics)(?:\/|$)/
/** What a proxy says in place of the service. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])

scope.addEventListener('install', (event) => {
  void scope.skipWaiting()
  event.waitUntil(take())
})

scope.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([drop((name) => name !== current), scope.clients.claim()]))
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (parts.includes(pathname.slice(1))) event.respondWith(part(request))
  else if (request.mode === 'navigate' && !OTHERS.test(pathname)) event.respondWith(page(request, event))
})

async function take(): Promise<void> {
  const cache = await caches.open(current)
  await cache.addAll(parts.map((name) => `/${name}`))
  await keep(await fetch(PAGE, { headers: { Accept: 'text/html' }, cache: 'no-cache' }))
  if (!(await cache.match(PAGE))) throw new Error('The page is not of this build.')
}

/** Keeps the page if it is of this build; of a newer one the file is asked for next. */
async function keep(answer: Response): Promise<void> {
  const named = Array.from((await answer.clone().text()).matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g), ([, name]) => name!)
  if (isPage(answer) && named.length > 0 && named.every((name) => parts.includes(name)))
    await (await caches.open(current)).put(PAGE, answer)
}

async function part(request: Request): Promise<Response> {
  return (await kept(request.url)) ?? fetch(request)
}

async function page(request: Request, event: Waiting): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(request)
  } catch (error) {
    const found = await kept(PAGE)
    if (found) return found
    throw error
  }
  if (AWAY.has(answer.status)) return (await kept(PAGE)) ?? answer
  event.waitUntil(isPage(answer) ? keep(answer.clone()) : goIfNotWanted())
  return answer
}

const kept = (address: string): Promise<Response | undefined> =>
  caches.open(current).then((cache) => cache.match(address, { ignoreVary: true }))

/** The policy of the page allows its scripts; that of nothing else does. */
const isPage = (answer: Response): boolean =>
  answer.ok && (answer.headers.get('content-security-policy') ?? '').includes("script-src 'self'")

/** The service has no pages any more (KARTOTEKA_PAGES). */
async function goIfNotWanted(): Promise<void> {
  const { status } = await fetch('/service-worker.js', { cache: 'no-store' })
  if (status !== 404) return
  await drop(() => true)
  await scope.registration.unregister()
}

async function drop(isOld: (name: string) => boolean): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(NAME) && isOld(name)) await caches.delete(name)
}
