import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fail } from '../../errors.ts'
import { isForBrowsers } from '../answers/negotiation.ts'
import { asText } from '../answers/plain.ts'
import { probe, type Probe } from '../routing/probe.ts'

/* The reference in a browser: a page that shows the OpenAPI document of this installation (documents/reference.mjs). */

interface Asset {
  readonly file: string
  readonly media: string
}

const script: Asset = { file: 'reference.mjs', media: 'text/javascript; charset=utf-8' }
const style: Asset = { file: 'reference.css', media: 'text/css; charset=utf-8' }

/** Read when the page is first asked for: a start does not need it. */
const kept = new Map<Asset, Promise<string>>()
function textOf(asset: Asset): Promise<string> {
  const known = kept.get(asset) ?? readFile(new URL(`../documents/${asset.file}`, import.meta.url), 'utf8')
  kept.set(asset, known)
  known.catch(() => kept.delete(asset))
  return known
}

/** The address from the page. Browsers keep what is there for ever: another content has another address. */
const addressOf = async (asset: Asset): Promise<string> =>
  `reference/${asset.file}?${createHash('sha256')
    .update(await textOf(asset))
    .digest('hex')
    .slice(0, 16)}`

/** Only what this service sends is loaded and asked; no other page may show it in a frame. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'Referrer-Policy': 'no-referrer',
}

export const showReference = probe({
  path: '/reference',
  says: 'For a browser: the reference of this installation, made of `/api/dev/openapi.json`. For other clients there is nothing at this path (404).',
  token: 'none',
  forBrowsers: true,

  async run({ accept }) {
    if (!isForBrowsers(accept)) throw fail('request.no_such_path')
    return asText(200, 'text/html; charset=utf-8', pageOf(await addressOf(script), await addressOf(style)), headers)
  },
})

/** The web pages have all of their addresses at the top; /docs is the one that people guess. */
const showDocs = probe({
  path: '/docs',
  says: 'For a browser: leads to the reference.',
  token: 'none',
  forBrowsers: true,

  async run({ accept }) {
    if (!isForBrowsers(accept)) throw fail('request.no_such_path')
    return asText(302, 'text/plain; charset=utf-8', 'reference\n', { Location: 'reference' })
  },
})

const showAsset = (asset: Asset): Probe =>
  probe({
    path: `/reference/${asset.file}`,
    says: 'A part of the reference page.',
    token: 'none',
    forBrowsers: true,
    run: async () => asText(200, asset.media, await textOf(asset), { 'Cache-Control': 'public, max-age=31536000, immutable' }),
  })

/** What the page loads, and what leads to it. */
export const partsOfReference: readonly Probe[] = [showDocs, showAsset(script), showAsset(style)]

const pageOf = (scriptAt: string, styleAt: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Kartoteka: reference</title>
<link rel="stylesheet" href="${styleAt}">
<link rel="icon" href="data:,">
<script type="module" src="${scriptAt}"></script>
</head>
<body>
<header><a href="./">To the pages</a><h1>Kartoteka: reference</h1></header>
<div id="content"><noscript>This page needs JavaScript. The same is in <a href="api/dev/openapi.json">/api/dev/openapi.json</a>.</noscript></div>
</body>
</html>
`
