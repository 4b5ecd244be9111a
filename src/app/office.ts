import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import type { Config } from '../config.ts'
import { fail } from '../errors.ts'
import type { Part } from '../http/pages/pages.ts'

/* What the office puts in place of the name and the mark of the product. It comes with the page, so that the page to sign in has it too. */

export interface Office {
  readonly name: string
  readonly logo: { readonly file: string; readonly part: Part; readonly bytes: Uint8Array } | undefined
}

/** Bytes of a picture, at most: it is kept in memory. */
const MOST = 256 * 1024
const media: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
}

/** @throws `config.invalid` if the picture cannot be read, is too large, or of another kind */
export function officeOf({ officeName: name, officeLogo }: Pick<Config, 'officeName' | 'officeLogo'>): Office {
  if (officeLogo === '') return { name, logo: undefined }
  const extension = extname(officeLogo).toLowerCase()
  const type = media[extension]
  const bytes = type && bytesOf(officeLogo)
  if (!type || !bytes) {
    const expected = 'a file that can be read: SVG, PNG, JPEG or WebP by its name, at most 256 KiB'
    throw fail('config.invalid', { name: 'KARTOTEKA_OFFICE_LOGO', value: officeLogo, expected })
  }
  const file = `assets/office-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}${extension}`
  return { name, logo: { file, part: { media: type, encodings: [] }, bytes } }
}

function bytesOf(file: string): Uint8Array | undefined {
  try {
    const found = statSync(file)
    return found.isFile() && found.size <= MOST ? readFileSync(file) : undefined
  } catch (error) {
    // It is not there, or this process may not read it.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

/** Puts both among the files of the pages. Returns the part that the page loads for it. */
export function putOffice(files: Map<string, Uint8Array>, office: Office): Readonly<Record<string, Part>> {
  files.set('index.html', Buffer.from(withOffice(Buffer.from(files.get('index.html')!).toString(), office)))
  const { logo } = office
  if (!logo) return {}
  files.set(logo.file, logo.bytes)
  return { [logo.file]: logo.part }
}

/** The page with both in its head. */
function withOffice(html: string, { name, logo }: Office): string {
  const text = escaped(name)
  const titled =
    name === ''
      ? html
      : html.replace(/<title>[^<]*<\/title>/, () => `<title>${text}</title><meta name="application-name" content="${text}">`)
  return logo ? titled.replace('</title>', () => `</title><meta name="office-logo" content="/${logo.file}">`) : titled
}

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
