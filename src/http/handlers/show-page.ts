import { fail } from '../../errors.ts'
import { isForBrowsers } from '../answers/negotiation.ts'
import { pageReply, waitingReply } from '../answers/page.ts'
import { probe, type Probe, type Watching } from '../routing/probe.ts'
import type { Reply } from '../routing/route.ts'

/* The web pages: at each of their addresses the same page, which reads its address; and the files that it loads. */

/** What stands behind an address is decided in web/app/routes.tsx. The test of this module compares the two. */
const addresses = [
  '/sign-in',
  '/invite/*',
  '/t/*',
  '/search',
  '/import',
  '/jobs',
  '/changes',
  '/trash',
  '/admin',
  '/admin/*',
  '/profile',
  '/help',
  '/help/*',
] as const

/** The page, or what is said until it is there. @throws `request.no_such_path` */
async function show({ accept, pages }: Watching): Promise<Reply> {
  if (!isForBrowsers(accept) || !pages) throw fail('request.no_such_path')
  const missing = pages.missing()
  return missing ? waitingReply(missing) : pageReply(pages)
}

export const showPage: readonly Probe[] = addresses.map((path) =>
  probe({ path, says: 'An address of the web pages.', token: 'none', forBrowsers: true, run: show }),
)

export const showPart = probe({
  path: '/assets/*',
  says: 'A part of the web pages.',
  token: 'none',
  forBrowsers: true,

  async run(request) {
    // Its name changes with its content.
    return partReply(request, request.path.slice(1), { 'Cache-Control': 'public, max-age=31536000, immutable' })
  },
})

export const showWorker = probe({
  path: '/service-worker.js',
  says: 'The service worker of the web pages: it shows them where the service cannot be reached.',
  token: 'none',
  forBrowsers: true,

  async run(request) {
    return partReply(request, WORKER, {
      // Asked for again each time: each build has another one.
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
    })
  },
})

/** The only part whose name stays the same. */
const WORKER = 'assets/service-worker.js'

/** @throws `request.no_such_path` */
function partReply({ path, header, pages }: Watching, name: string, headers: Readonly<Record<string, string>>): Reply {
  const part = pages?.missing() === undefined && path !== `/${WORKER}` ? pages?.part(name) : undefined
  if (!pages || !part) throw fail('request.no_such_path')
  const accepted = encodingsOf(header('accept-encoding'))
  const encoding = part.encodings.find((one) => accepted.has(one)) ?? 'identity'
  return {
    status: 200,
    headers: {
      'Content-Type': part.media,
      ...headers,
      Vary: 'Accept-Encoding',
      // The picture of the office may be opened by itself.
      ...(part.media === 'image/svg+xml' && { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }),
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    },
    body: pages.bytes(name, encoding),
  }
}

/** The encodings that a client takes (RFC 9110, 12.5.3). */
const encodingsOf = (header = ''): ReadonlySet<string> =>
  new Set(
    header.split(',').flatMap((one) => {
      const [name, ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
      return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name!]
    }),
  )
