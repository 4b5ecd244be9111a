import { fail } from '../../errors.ts'
import { isForBrowsers } from '../answers/negotiation.ts'
import { pageReply, SOON } from '../answers/page.ts'
import { asText } from '../answers/plain.ts'
import { readinessOf } from '../resources/readiness.ts'
import { probe } from '../routing/probe.ts'

export const showFrontPage = probe({
  path: '/',
  says: 'For a browser: the web pages; until they are built, a page that says what this is, whether it is well, and where the reference is. For other clients there is nothing at this path (404).',
  token: 'none',
  forBrowsers: true,

  async run(request) {
    const { accept, pages } = request
    if (!isForBrowsers(accept)) throw fail('request.no_such_path')
    const missing = pages ? pages.missing() : NONE
    if (pages && !missing) return pageReply(pages)
    const reason = await readinessOf(request)
    return asText(
      200,
      'text/html; charset=utf-8',
      pageOf(reason ? `not well: ${reason.detail}` : 'well.', missing!.says),
      missing!.isComing ? { ...headers, ...SOON } : headers,
    )
  },
})

const NONE = { says: 'This installation serves no web pages (KARTOTEKA_PAGES).', isComing: false }

/** The page loads nothing, and no other page may show it in a frame. */
const headers = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
}

/** `state`, `missing`: text of ours, without characters that HTML escapes. */
const pageOf = (state: string, missing: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Kartoteka</title>
</head>
<body>
<h1>Kartoteka</h1>
<p>A customer database with tables that you define, for programs: it is used over HTTP, in the style of JSON:API.</p>
<p>${missing}</p>
<p>The service is ${state}</p>
<ul>
<li>The interface begins at <a href="api/dev">/api/dev</a>, which needs a token.</li>
<li><a href="reference">The reference</a> shows the interface with the tables and fields that you may see. More is in the folder <code>docs</code> of the program: begin with <code>docs/README.md</code>; <code>docs/endpoints.md</code> lists all endpoints.</li>
<li>For monitoring: <a href="healthz">/healthz</a>, <a href="readyz">/readyz</a> and, with a token, /metrics.</li>
</ul>
</body>
</html>
`
