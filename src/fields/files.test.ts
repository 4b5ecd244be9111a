import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plain } from './field-type.ts'
import { file } from './file.ts'
import { checkFileName, checkFiles } from './files.ts'
import { image } from './image.ts'

const refused = { code: 'field.invalid_value' }
const named = (...names: string[]) => names.map((name) => ({ name, size: 10 }))

describe('the name of a file', () => {
  for (const name of ['a', 'Счёт №7.pdf', '.htaccess', '...', 'a b', '🚀.png', 'x'.repeat(255), 'ё'.repeat(127)])
    it(`may be ${name.slice(0, 20)}`, () => checkFileName(name))
  for (const name of ['', '.', '..', 'a/b', 'a\\b', 'a\0', 'a\nb', 'a\r\nb', '\u0085', '\ud800', 'x'.repeat(256), '🚀'.repeat(64)]) {
    it(`may not be ${JSON.stringify(name.slice(0, 20))}`, () => assert.throws(() => checkFileName(name), refused))
  }
})

describe('the files of a field', () => {
  it('have names, each its own', () => {
    checkFiles(file, named('a', 'A', 'b'), plain)
    assert.throws(() => checkFiles(file, named('a', 'b', 'a'), plain), refused)
    assert.throws(() => checkFiles(file, named('\u00e9', 'e\u0301'), plain), refused)
    assert.throws(() => checkFiles(file, named(''), plain), refused)
    // As one text these would be two valid names.
    assert.throws(() => checkFiles(file, named('a\r\nb'), plain), refused)
  })
  it('are not more than the field takes', () => {
    checkFiles(file, named('a', 'b'), { ...plain, maxFiles: 2 })
    assert.throws(() => checkFiles(file, named('a', 'b', 'c'), { ...plain, maxFiles: 2 }), { message: 'The field holds at most 2 files.' })
  })
  it('are not larger than the field takes', () => {
    checkFiles(file, [{ name: 'a', size: 1024 }], { ...plain, maxKilobytes: 1 })
    assert.throws(() => checkFiles(file, [{ name: 'a', size: 1025 }], { ...plain, maxKilobytes: 1 }), refused)
  })
  it('have one of the extensions of the field, in any case', () => {
    const settings = { ...plain, fileExtensions: ['pdf', 'gz'] }
    checkFiles(file, named('a.PDF', 'b.tar.gz', '.pdf'), settings)
    for (const name of ['a', 'pdf', 'a.pdf.exe', 'a.pdf.', `${'x'.repeat(100)}.docx`])
      assert.throws(() => checkFiles(file, named(name), settings), refused)
  })
  it('are pictures in a field of pictures, whatever its settings', () => {
    checkFiles(image, named('a.png', 'b.JPEG'), plain)
    for (const name of ['a.pdf', 'a', 'a.png.html']) assert.throws(() => checkFiles(image, named(name), plain), refused)
    assert.throws(() => checkFiles(image, named('a.gif'), { ...plain, fileExtensions: ['png'] }), refused)
    assert.throws(() => checkFiles(image, named('a.exe'), { ...plain, fileExtensions: ['exe'] }), refused)
  })
})
