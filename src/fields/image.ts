import type { FieldType } from './field-type.ts'
import { namedFiles } from './forms/files.ts'

export const image: FieldType = {
  ...namedFiles,
  name: 'image',
  says: 'Pictures. Answers show their names, separated by CR LF; requests send an array of file objects.',
  extensions: ['avif', 'bmp', 'gif', 'heic', 'heif', 'ico', 'jfif', 'jpeg', 'jpg', 'png', 'svg', 'tif', 'tiff', 'webp'],
  examples: [
    ['', ''],
    ['face.png', 'face.png'],
    ['a.JPG\r\nb.webp', 'a.JPG\r\nb.webp'],
  ],
  rejects: ['a/b.png', '..', 'a.png\r\na.png'],
}
