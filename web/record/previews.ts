const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/
const TEXT = /^text\/(?!html)|^application\/(?:json|xml|x-ndjson|yaml|sql)$/

/** How a file can be shown, if at all. A PDF is shown by the viewer of the browser, where it has one. */
export const previewOf = (mimeType: string): 'picture' | 'text' | 'pdf' | undefined => {
  if (PICTURE.test(mimeType)) return 'picture'
  if (TEXT.test(mimeType)) return 'text'
  return mimeType === 'application/pdf' && navigator.pdfViewerEnabled ? 'pdf' : undefined
}
