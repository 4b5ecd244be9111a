import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'

/** What runs a program of a page; `file`: the name that it is given. */
interface Language {
  readonly language: 'js' | 'python' | 'php'
  readonly file: string
  readonly program: string
}

/** The programs of a page of docs, one in each language. */
export function programsOf<L extends Language>(page: string, languages: readonly L[]) {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const here = languages.filter(({ program }) => spawnSync(program, ['--version']).status === 0)
  return {
    /** The page as a whole. */
    text,
    /** The languages that this machine has. */
    here,
    programIn: (language: string): string => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text)![1]!,
    itHasEach: () =>
      it('has a program in each language', (t) => {
        for (const { language } of languages) assert.ok(text.includes(`\n\`\`\`${language}\n`), language)
        assert.ok(here.length >= 1)
        const missing = languages.filter((one) => !here.includes(one)).map(({ program }) => program)
        if (missing.length > 0) t.diagnostic(`not on this machine, so not tried: ${missing.join(', ')}`)
      }),
  }
}
