const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/
const TEXT = /^text\/(?!html)|^application\/(?:json|xml|x-ndjson|yaml|sql)$/

/**
 * How a file can be shown. A PDF cannot: pages have no frames by their Content-Security-Policy, and a browser shows none from an answer that is in
 * a sandbox, as those of files are.
 */
export const previewOf = (mimeType: string): 'picture' | 'text' | undefined =>
  PICTURE.test(mimeType) ? 'picture' : TEXT.test(mimeType) ? 'text' : undefined
