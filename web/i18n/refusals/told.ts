import { i18n } from '@lingui/core'
import { preferences } from '../../api/preferences.ts'
import { tableName } from '../../api/queries.ts'
import { lineFaults } from './imports.ts'
import { afterColon } from '../after-colon.ts'
import { nestedQuotes } from '../quotes.ts'
import { parts } from './parts.ts'
import { refusals } from './refusals.ts'
import type { Sentence } from './sentence.ts'
import { settingFaults } from './values.ts'

type Values = Readonly<Record<string, string>>

/** A sentence cut at its values: texts and names of values by turns, a text first. */
interface Pattern {
  readonly cut: readonly string[]
  /** Characters that are not of values. */
  readonly fixed: number
  readonly ru: string
}

/** What the service says, in the language of the person. A sentence that is not known stays in English. */
export function told(detail: string): string {
  const { language } = preferences()
  return nestedQuotes(withNames(language === 'ru' ? (inRussian(detail) ?? detail) : detail), language)
}

/** Tables by the names that people know instead of their numbers, except within a value that is quoted. */
export const withNames = (text: string): string =>
  text.replace(/(\btable|таблиц[а-я]*) (\d+)(?![\w-])/gi, (all, noun: string, id: string, at: number) => {
    const name = /(?:^[^']*(?:'[^']*'[^']*)*'|«)[^'»]*$/.test(text.slice(0, at)) ? undefined : tableName(id)
    return name === undefined ? all : /^t/i.test(noun) ? `${noun} “${name}”` : `${noun} «${name}»`
  })

/** The same in Russian; undefined: the sentence is not known. */
export const inRussian = (detail: string): string | undefined => {
  whole ??= patterns([...Object.values(refusals).flat(), ...lineFaults])
  const found = bestOf(whole, detail)
  const sentence = found && shown(found)
  return sentence && nestedQuotes(sentence, 'ru')
}

let whole: readonly Pattern[] | undefined
let within: readonly Pattern[] | undefined
let causes: readonly Pattern[] | undefined

interface Found {
  readonly pattern: Pattern
  readonly values: Values
}

/** Undefined: what is within it is not known. Half of a sentence in each language would be worse than an English one. */
function shown({ pattern, values: found }: Found): string | undefined {
  const given = Object.entries(found).map(([name, value]) => [name, inPlace(name, value, pattern.ru)] as const)
  if (given.some(([, value]) => value === undefined)) return undefined
  return i18n._({ id: pattern.ru, message: pattern.ru, values: Object.fromEntries(given) })
}

/** A value as it stands in the Russian sentence: numbers choose plurals, `part` and `why` are sentences of their own. */
function inPlace(name: string, value: string, text: string): string | number | undefined {
  // Not 007, which is a name of something.
  if (/^(?:0|[1-9]\d{0,14})$/.test(value)) return Number(value)
  if (name !== 'part' && name !== 'why') return value
  within ??= patterns(parts)
  causes ??= patterns(settingFaults)
  const found = name === 'part' ? bestOf(within, value) : bestOf(causes, value)
  const words = found ? shown(found) : name === 'why' ? inRussian(value) : undefined
  return words && text.includes(`: {${name}}`) ? afterColon(words) : words
}

const patterns = (sentences: readonly Sentence[]): Pattern[] =>
  sentences.map(([en, ru]) => {
    const cut = en.split(/[{}]/)
    return { cut, fixed: cut.reduce((sum, text, i) => (i % 2 === 0 ? sum + text.length : sum), 0), ru }
  })

/** The pattern with the most fixed text that the sentence has. */
function bestOf(all: readonly Pattern[], text: string): Found | undefined {
  let best: Found | undefined
  for (const pattern of all) {
    if (best && best.pattern.fixed >= pattern.fixed) continue
    const found = valuesIn(pattern.cut, text)
    if (found) best = { pattern, values: found }
  }
  return best
}

/** The values in a sentence, each as short as the text behind it allows, the last one reaching to the end; undefined: another sentence. */
function valuesIn(cut: readonly string[], text: string): Values | undefined {
  const last = cut.length - 1
  if (last === 0) return text === cut[0] ? {} : undefined
  if (!text.startsWith(cut[0]!) || !text.endsWith(cut[last]!)) return undefined
  const end = text.length - cut[last]!.length
  const found: Record<string, string> = {}
  let at = cut[0]!.length
  for (let i = 1; i < last; i += 2) {
    const next = i + 1 === last ? end : text.indexOf(cut[i + 1]!, at)
    if (next < at || next > end) return undefined
    found[cut[i]!] = text.slice(at, next)
    at = next + cut[i + 1]!.length
  }
  return found
}
