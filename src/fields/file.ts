import type { FieldType } from './field-type.ts'
import { namedFiles } from './forms/files.ts'

export const file: FieldType = {
  ...namedFiles,
  name: 'file',
  says: 'Files. Answers show their names, separated by CR LF; requests send an array of file objects.',
  examples: [
    ['', ''],
    ['offer.pdf', 'offer.pdf'],
    ['a.txt\r\nb.txt', 'a.txt\r\nb.txt'],
    ['Договор №5.docx', 'Договор №5.docx'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ],
  rejects: ['a/b', 'a\\b', '.', '..', 'a\nb', 'a\r\n', 'a\r\na', 'a\tb', 'a\u007fb', 'x'.repeat(256), 'ё'.repeat(128), 'é\r\ne\u0301'],
}
