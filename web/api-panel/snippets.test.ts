import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { languages, type Call } from './call.ts'
import { partsOf, snippetOf } from './snippets.ts'
import { shellString } from './strings.ts'

const ATTACKS = [
  `'; touch /tmp/owned; '`,
  `"; process.exit(9); //`,
  '$(exit 9)`exit 9`${process.exit(9)} !! {$x}',
  'one\nprocess.exit(9)\r\u2028process.exit(9)\u2029\u0000\u001b[201~',
  '*/ ?> <?php exit(9); # <!-- -->',
  `\\' \\" \\\\ \\u0041 %41 &a=b #c @file`,
  'right to left \u202e and tags \u{e0041}, Ёж 𝒳',
]
const callOf = (value: string): Call => ({
  address: `https://crm.example/api/dev/data7`,
  parameters: [
    ['filter', value],
    ['page[limit]', '50'],
  ],
  fields: [{ name: 'f1', title: value }],
  isList: true,
})

const writeOf = (value: string): Call => ({
  address: 'https://crm.example/api/dev/data7/5',
  parameters: [],
  fields: [{ name: 'f1', title: value }],
  isList: false,
  sends: { method: 'PATCH', type: 'data7', id: '5', attributes: [['f1', value], ['f2', 'plain']] }, // prettier-ignore
})

describe('a request as a program', () => {
  it('tells why the service refuses it, in JavaScript and Python', () => {
    for (const call of [callOf('eq(f1,1)'), writeOf('plain')]) {
      assert.match(snippetOf('JavaScript', call), /if \(!answer\.ok\) throw new Error\(await answer\.text\(\)\)/)
      assert.match(snippetOf('Python', call), /except HTTPError as refusal:\n {4}sys\.exit\(refusal\.read\(\)\.decode\(\)\)/)
    }
  })

  for (const value of ATTACKS) {
    it(`is the same request whatever is asked for: ${JSON.stringify(value)}`, () => {
      // A shell gives curl exactly the value.
      const told = spawnSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${snippetOf('curl', callOf(value.replaceAll('\0', '')))}`])
      assert.deepEqual([told.status, told.stderr.toString()], [0, ''])
      const args = told.stdout.toString().split('\0').slice(0, -1)
      const sent = args.find((one) => one.startsWith('filter='))!.slice('filter='.length)
      const decoded = args[args.findIndex((one) => one.startsWith('filter=')) - 1] === '--data' ? decodeURIComponent(sent) : sent
      assert.equal(decoded, value.replaceAll('\0', ''))
      assert.equal(args.length, 8)

      // So does JavaScript.
      const program = `globalThis.fetch = async (address) => { console.log(JSON.stringify(String(address))); return { ok: true, json: async () => ({ data: [] }) } }\n${snippetOf('JavaScript', callOf(value))}` // prettier-ignore
      const run = spawnSync(process.execPath, ['--input-type=module', '-'], { input: program })
      assert.deepEqual([run.status, run.stderr.toString()], [0, ''])
      const asked = new URL(JSON.parse(run.stdout.toString()) as string)
      assert.equal(asked.searchParams.get('filter'), value)
      assert.equal(asked.searchParams.get('page[limit]'), '50')
    })
  }

  for (const value of ATTACKS) {
    it(`sends the same values whatever they are: ${JSON.stringify(value)}`, () => {
      const body = { data: { type: 'data7', id: '5', attributes: { f1: value, f2: 'plain' } } }
      const told = spawnSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${snippetOf('curl', writeOf(value))}`])
      assert.deepEqual([told.status, told.stderr.toString()], [0, ''])
      const args = told.stdout.toString().split('\0').slice(0, -1)
      assert.deepEqual([args.length, args.slice(0, 3)], [9, ['--request', 'PATCH', 'https://crm.example/api/dev/data7/5']])
      assert.deepEqual(JSON.parse(args.at(-1)!), body)

      const program = `globalThis.fetch = async (address, { method, body }) => { console.log(JSON.stringify([address, method, body])); return { ok: true, json: async () => ({ data: {} }) } }\n${snippetOf('JavaScript', writeOf(value))}` // prettier-ignore
      const run = spawnSync(process.execPath, ['--input-type=module', '-'], { input: program })
      assert.deepEqual([run.status, run.stderr.toString()], [0, ''])
      const [address, method, sent] = JSON.parse(run.stdout.toString().split('\n')[0]!) as string[]
      assert.deepEqual([address, method, JSON.parse(sent!)], ['https://crm.example/api/dev/data7/5', 'PATCH', body])
    })
  }

  it('has one line for each name, and nothing in it that a terminal or an editor would follow', () => {
    for (const language of languages)
      for (const value of ATTACKS) {
        const plain = snippetOf(language, callOf('plain'))
        const program = snippetOf(language, callOf(value))
        assert.equal(program.split(/[\n\r\u2028\u2029]/).length, plain.split('\n').length, program)
        assert.doesNotMatch(program.replaceAll('\n', ''), /\p{C}/u, `${language}: ${JSON.stringify(program)}`)
        const comment = program.trimEnd().split('\n').at(-1)!
        assert.match(comment, /^(#|\/\/) f1 /)
        const written = snippetOf(language, writeOf(value))
        assert.equal(written.split(/[\n\r\u2028\u2029]/).length, snippetOf(language, writeOf('plain')).split('\n').length, written)
        assert.doesNotMatch(written.replaceAll('\n', ''), /\p{C}/u, `${language}: ${JSON.stringify(written)}`)
        if (language === 'curl') assert.match(comment, /^# [\p{L}\p{M}\p{N} .,_%+-]*$/u)
        assert.ok(language !== 'PHP' || !comment.includes('?>'), comment)
      }
  })

  it('quotes for Python and PHP as these read it', () => {
    const lines = (language: 'Python' | 'PHP', value: string) => snippetOf(language, callOf(value)).split('\n').find((line) => line.includes('filter'))!.trim() // prettier-ignore
    assert.equal(lines('Python', `a"b'c\\d\n\u{e0041}`), `"filter": "a\\"b'c\\\\d\\n\\U000e0041",`)
    assert.equal(lines('PHP', `a"b'c\\d$x`), `'filter' => 'a"b\\'c\\\\d$x',`)
    assert.equal(lines('PHP', `a"b'c\\d$x\n`), `'filter' => "a\\"b'c\\\\d\\$x\\u{a}",`)
  })

  it('has a placeholder for the token, and names the parts that are coloured', () => {
    for (const language of languages) {
      const program = snippetOf(language, callOf("eq(f1,'a')"))
      assert.match(program, /KARTOTEKA_TOKEN/)
      const parts = partsOf(program)
      assert.equal(parts.map(([text]) => text).join(''), program)
      assert.deepEqual(parts.filter(([, is]) => is === 'comment').length, 1)
      assert.ok(parts.some(([text, is]) => is === 'string' && text.includes('filter')))
    }
    assert.equal(shellString("it's"), String.raw`'it'\''s'`)
  })
})
