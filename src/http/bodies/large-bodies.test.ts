import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Failure } from '../../errors.ts'
import { notBase64, SpooledContent } from '../../store/model/sent.ts'
import { spools, type Spool } from '../../store/files/spool.ts'
import { parseJson } from './json.ts'
import { largeBodies, type LargeBodies } from './large-bodies.ts'
import { randomOf } from '../../../test/support/random.ts'
import { seed } from '../../../test/support/seed.ts'

const NONCE = 'ab'.repeat(16)
const there = { isGone: false, whenGone: () => () => undefined }

describe('a body that is read from a file', () => {
  let directory: string
  let bodies: LargeBodies
  let newSpool: (isDue: boolean) => Promise<Spool>
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'kartoteka-bodies-'))
    let made = 0
    newSpool = spools(directory, () => String(made++))
    bodies = largeBodies()
  })
  after(async () => {
    await bodies.close()
    rmSync(directory, { recursive: true })
  })

  /** What reading comes to: the document with contents of files as base64, or the failure. */
  async function read(bytes: Uint8Array): Promise<unknown> {
    const spool = await newSpool(true)
    try {
      await spool.write(bytes)
      const { body } = await bodies.read(spool, NONCE, there)
      await fill(body)
      return body
    } catch (error) {
      return toldOf(error)
    } finally {
      await spool.close()
    }
  }

  async function fill(value: unknown): Promise<void> {
    if (typeof value !== 'object' || value === null) return
    const members = value as Record<string, unknown>
    for (const [name, one] of Object.entries(members)) {
      if (one instanceof SpooledContent) {
        const pieces: Buffer[] = []
        for await (const piece of one.read()) pieces.push(Buffer.from(piece))
        members[name] = Buffer.concat(pieces).toString('base64')
        assert.equal(Buffer.concat(pieces).length, one.size)
      } else await fill(one)
    }
  }

  /** The same of a body in memory: each content as a request without large files has it. */
  function expected(bytes: Uint8Array): unknown {
    try {
      const body = parseJson(bytes) as { data?: { attributes?: Record<string, unknown> } }
      for (const files of Object.values(body?.data?.attributes ?? {}))
        if (Array.isArray(files)) for (const file of files) if (isFile(file) && file.content !== '') file.content = decoded(file)
      return body
    } catch (error) {
      return toldOf(error)
    }
  }

  const toldOf = (error: unknown) => {
    if (!(error instanceof Failure)) throw error
    return { code: error.code, message: error.message, where: error.where }
  }
  const isFile = (file: unknown): file is { content: unknown; binary?: unknown } =>
    typeof file === 'object' && file !== null && typeof (file as { content?: unknown }).content === 'string'
  function decoded({ content, binary }: { content: unknown; binary?: unknown }): unknown {
    if (binary !== true) return Buffer.from(content as string).toString('base64')
    const packed = (content as string).replace(/[\r\n]/g, '')
    return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed) ? Buffer.from(packed, 'base64').toString('base64') : notBase64
  }

  const same = async (text: string | Uint8Array, says = String(text).slice(0, 300)) => {
    const bytes = Buffer.from(text as string)
    assert.deepEqual(await read(bytes), expected(bytes), says)
  }

  const contents = [
    'plain',
    '',
    '\\u0441\\n\\r\\t\\b\\f\\"\\\\\\/',
    '\\ud83d\\ude00 😀 ё',
    '\\ud83d',
    '\\ude00\\ud83d\\ud83d\\ude00',
    'QUJD',
    'QUI=',
    'QQ==',
    'QQ=',
    'QQ==QUJD',
    'QU\\r\\nJD\\u000d\\n',
    'A\\/+9',
    'ё===',
  ]

  it('is what it is in memory', async () => {
    for (const content of contents)
      for (const binary of ['true', 'false', '1'])
        await same(`{"data":{"attributes":{"f1":[{"file_name":"a","content":"${content}","binary":${binary}},{"content":"x"}],"f2":"y"}}}`)
    for (const text of [
      '{"data":{"attributes":{"f1":[{"content":"a","content":"b"}],"f1":[{"content":"c"}]}},"data":{"attributes":{"f3":[{"content":"d"}]}}}',
      '{"data":{"attributes":{"__proto__":[{"content":"a"}],"n":12345678901234567890}}}',
      '{"d\\u0061ta":{"attributes":{"f1":[{"c\\u006fntent":"a"}]}}}',
      '{"data":{"attributes":{"content":"a","f1":{"content":"b"},"f2":[["content","c"]],"f3":[{"x":{"content":"d"}}]},"content":"e"}}',
      '\ufeff{"data":{"attributes":{"f1":[{"content":"ё"}]}}} ',
      '"content"',
      '[{"content":"a"}]',
    ])
      await same(text)
  })

  it('is refused with the very same words, wherever it breaks', async () => {
    const whole = Buffer.from(
      '\ufeff{ "data":{"type":"ё","attributes":{"f1":[{"file_name":"a","content":"ёx\\u00e9\\n😀","binary":false},{"content":"QUJD","binary":true}],"f2":1.5e3}}}',
    )
    const { int: below } = randomOf(seed)
    const odd = ['"', '\\', '{', '}', '[', ']', ':', ',', '\n', '\u0000', 'u', 'x', '1', ' ', '\ud83d\ude00'].map((one) => Buffer.from(one))
    for (const one of ['\\ё', '\\😀', '\\ÿ', '\\x', '\\u0ё', 'a\tb\\ё', '\\ёa\tb'])
      await same(`{"data":{"attributes":{"f1":[{"content":"ё${one} 😀"}]}}}`)
    for (let end = 1; end < whole.length; end++) await same(whole.subarray(0, end), `cut at ${end}`)
    for (let round = 0; round < 800; round++) {
      let bytes: Buffer = whole
      for (let changes = 1 + below(2); changes > 0; changes--) {
        const at = 1 + below(bytes.length - 1)
        const rest = bytes.subarray(at + below(3))
        bytes = Buffer.concat([bytes.subarray(0, at), below(8) === 0 ? Buffer.of(0xff) : odd[below(odd.length)]!, rest])
      }
      await same(bytes, bytes.toString('latin1'))
    }
  })

  it('is read in pieces that end anywhere', async () => {
    const file = (content: string, binary: boolean) => `{"file_name":"a","content":"${content}","binary":${binary}}`
    for (let shift = 0; shift < 13; shift++) {
      const pad = 'x'.repeat(shift)
      const long = (piece: string) => piece.repeat(600_000 / piece.length)
      const files = [file(pad + long('\\ud83d\\ude00'), false), file(long('ё\\n😀'), false), file(long('QUJDRA==').slice(0, 8), true)]
      await same(`{"data":{"attributes":{"f1":[${files.join(',')},${file(`${long('QUJD')}\\r\\nQQ==`, true)}]}}}`, `shifted by ${shift}`)
      await same(`{"data":{"attributes":{"f1":[${file(`${pad}${long('ё')}\\u12`, false)}]}}}`, `a fault, shifted by ${shift}`)
    }
  })

  it('has as much besides the contents of files as a body without any', async () => {
    const body = (besides: number, name = 'content') =>
      Buffer.from(`{"data":{"attributes":{"f1":[{"${name}":"${'x'.repeat(3_000_000)}"}]}},"meta":"${'x'.repeat(besides)}"}`)
    assert.ok(!('code' in ((await read(body(2_090_000))) as object)))
    const most = 2_097_152
    for (const one of [body(most), body(0, 'other')])
      assert.deepEqual((await read(one)) as object, {
        code: 'body.too_large_besides',
        message: `Besides the contents of files, the body of the request is larger than ${most} bytes.`,
        where: {},
      })
  })
})
