import type { Call, Language, Makers } from './call.ts'
import { readers } from './read-snippets.ts'
import { inComment, inShellComment } from './strings.ts'
import { writers } from './write-snippets.ts'

/* A request to the interface as programs send it, ready to be copied. */

const signs: Readonly<Record<Language, string>> = { curl: '#', JavaScript: '//', Python: '#', PHP: '//' }

const comments = ({ fields }: Call, language: Language): string => {
  const shown = language === 'curl' ? inShellComment : inComment
  return fields.map(({ name, title }) => `${signs[language]} ${shown(name)} ${shown(title)}`).join('\n')
}

/** The program, and below it a line for each field. */
export function snippetOf(language: Language, call: Call): string {
  const makers: Makers = call.sends === undefined ? readers : writers
  return `${`${makers[language](call)}\n\n${comments(call, language)}`.trimEnd()}\n`
}

/** A part of a program and what it is, for its colour. */
export type Part = readonly [text: string, is: 'plain' | 'string' | 'comment']

/** Strings and comments of a program that `snippetOf` has made. */
export const partsOf = (program: string): readonly Part[] =>
  Array.from(
    program.matchAll(/^(?:#|\/\/).*$|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'#/]+|[^]/gm),
    ([text]) => [text, /^(?:#|\/\/)./.test(text) ? 'comment' : /^["'][^]/.test(text) ? 'string' : 'plain'] as const,
  )
