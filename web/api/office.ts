/* The name and the picture that the office has given its installation (KARTOTEKA_OFFICE_NAME, KARTOTEKA_OFFICE_LOGO): they come with the page, so that the page to sign in has them too. */

const meta = (name: string): string | undefined =>
  globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || undefined

/** Undefined: it is called by the name of the product. */
export const officeName = meta('application-name')
/** The address of a picture. */
export const officeLogo = meta('office-logo')
