import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import type { FieldSettings, FieldType } from './field-type.ts'
import { checkFileName, mustBeNames } from './forms/files.ts'
import { quoted } from './forms/quoted.ts'

export { checkFileName }

/** A file to be stored in a field; `size` in bytes. */
export interface SizedFile {
  readonly name: string
  readonly size: number
}

/** @throws `field.invalid_value` if these cannot be all the files of a field with this type and these settings. */
export function checkFiles(type: FieldType, files: readonly SizedFile[], settings: FieldSettings): void {
  const most = Math.min(settings.maxFiles ?? limits.listMembers.most, limits.listMembers.most)
  if (files.length > most) throw fail('field.invalid_value', { why: `The field holds at most ${most} ${most === 1 ? 'file' : 'files'}.` })
  mustBeNames(files.map((file) => file.name))
  for (const { name, size } of files) {
    checkExtension(type, name, settings)
    if (size > mostBytes(settings)) {
      throw fail('field.invalid_value', { why: `${quoted(name)} is larger than ${mostBytes(settings) / 1024} KiB.` })
    }
  }
}

/** The most bytes that one file of a field may have by its settings. */
export const mostBytes = ({ maxKilobytes = limits.fileKilobytes.most }: Pick<FieldSettings, 'maxKilobytes'>): number => maxKilobytes * 1024

/** @throws `field.invalid_value` for a name whose extension the field does not allow. */
export function checkExtension({ extensions }: FieldType, name: string, settings: FieldSettings): void {
  const allowed = settings.fileExtensions ?? extensions
  if (!allowed) return
  const extension = /\.([^.]+)$/.exec(name.slice(-40))?.[1]?.toLowerCase() ?? ''
  const known = allowed.includes(extension) && (extensions?.includes(extension) ?? true)
  if (!known) throw fail('field.invalid_value', { why: `${quoted(name)} is not one of the files allowed here: ${allowed.join(', ')}.` })
}
