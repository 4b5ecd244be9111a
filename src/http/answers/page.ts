import type { Missing, Pages } from '../pages/pages.ts'
import type { Reply } from '../routing/route.ts'
import { asText } from './plain.ts'

/**
 * Only what this service sends is loaded and asked; no other page may show it in a frame; text that is assigned as HTML or as a script is an
 * error in browsers that know Trusted Types. The hash is that of the one style sheet that React Aria adds, for what is pressed on a touch screen. Pictures of `blob:` are files that somebody is about to upload.
 * Frames are for PDF files: every page of this service refuses to be in one, and every file is in a sandbox.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

/** The page. It depends on nobody and is asked for again each time, so that it names the parts of the newest build. */
export const pageReply = (pages: Pages): Reply => ({
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'same-origin',
  },
  body: pages.page(),
})

/** A browser asks again after so many seconds. */
export const SOON = { Refresh: '3' } as const

/** In place of a page that is not there yet, at its own address: it is shown when it is there. */
export const waitingReply = ({ says, isComing }: Missing): Reply =>
  asText(200, 'text/html; charset=utf-8', `<!doctype html>\n<meta charset="utf-8">\n<title>Kartoteka</title>\n<p>${says}</p>\n`, {
    'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ...(isComing && SOON),
  })
