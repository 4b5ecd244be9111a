import type { HostileColumn } from './hostile.ts'

/* How a response must show what a client wrote, said a second time in plain code as in answer.ts. */

/** What a response shows of a written text; undefined where the service gives the value itself. */
export function shownOf({ type, settings }: Pick<HostileColumn, 'type' | 'settings'>, written: string): string | undefined {
  switch (type) {
    case 'integer':
      return plainNumber(written, 0)
    case 'decimal':
      return plainNumber(written, settings.scale ?? 2)
    case 'boolean':
      return ['1', 'true'].includes(written.toLowerCase()) ? '1' : '0'
    case 'date':
      return written === '' ? '0000-00-00' : written.slice(0, 10)
    case 'datetime':
      return written === '' ? '0000-00-00 00:00:00' : written.replace('T', ' ').padEnd(19, ' 00:00:00')
    case 'reference':
    case 'user':
    case 'group':
      return written === '' ? '0' : written
    case 'autonumber':
      return undefined
    case 'text':
    case 'longtext':
    case 'email':
    case 'phone':
    case 'url':
    case 'list':
    case 'multilist':
    case 'references':
    case 'users':
    case 'file':
    case 'image':
      return written
    default:
      throw new Error(`the oracle does not know how the type ${type} is shown`)
  }
}

function plainNumber(written: string, scale: number): string {
  const [whole = '', fraction = ''] = written.replace('-', '').split('.')
  const digits = `${whole.replace(/^0+(?=\d)/, '') || '0'}${scale > 0 ? `.${fraction.padEnd(scale, '0')}` : ''}`
  return written.startsWith('-') && /[1-9]/.test(digits) ? `-${digits}` : digits
}

/** The document's form of a written text: files are objects, all else is text. */
export const sentOf = ({ type }: Pick<HostileColumn, 'type'>, written: string): unknown =>
  (type === 'file' || type === 'image') && written !== ''
    ? written.split('\r\n').map((name) => ({ file_name: name, content: `of ${name}` }))
    : written
