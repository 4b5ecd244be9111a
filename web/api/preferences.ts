import { useSyncExternalStore } from 'react'
import { send, type Resource } from './client.ts'

/*
 * How a person likes the pages. Kept by the service under one key of their own settings, so that it is the same on each of their devices, and in
 * the browser, so that the first page after a reload, and the page to sign in, look right at once.
 */

export interface Preferences {
  readonly language: 'en' | 'ru'
  readonly theme: 'system' | 'light' | 'dark'
  readonly density: 'comfortable' | 'compact'
}

const KEY = 'web'
const choices: { readonly [Name in keyof Preferences]: readonly Preferences[Name][] } = {
  language: ['en', 'ru'],
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
}

const kept = inBrowser()
let current: Preferences = { ...defaults(), ...valid(kept?.look) }
/** Whose they are, and the setting in which the service keeps them; undefined while nobody has signed in. */
let person: string | undefined
let settingId: string | undefined
/** What was chosen before the sign-in. */
let chosenBefore: Partial<Preferences> = {}
/** Writes go one after the other: two at once would make the setting twice. */
let writing: Promise<unknown> = Promise.resolve()
const listeners = new Set<() => void>()

export const preferences = (): Preferences => current

/** For dates and numbers: the kind of the language that the browser is set to, such as en-GB. */
export const locale = (): string => (locales[current.language] ??= localeOf(current.language))
const localeOf = (language: string): string => navigator.languages.find((one) => one.split('-')[0] === language) ?? language
/** By language: each cell of a grid asks. */
let locales: Partial<Record<Preferences['language'], string>> = {}
globalThis.addEventListener?.('languagechange', () => (locales = {}))

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences)

/** Reads those of the person who has signed in, unless they are known. What they have chosen elsewhere wins over the look of this browser. */
export async function loadPreferences(id: string): Promise<void> {
  if (person === id) return
  const { data } = await send<readonly Resource[]>('GET', `setting?filter=eq(key,'${KEY}')`)
  const isAnother = kept?.person !== id
  person = id
  settingId = data[0]?.id
  if (data[0]) take(valid(data[0].attributes['value']))
  else take(isAnother ? { ...defaults(), ...chosenBefore } : {})
}

/** Shows the choice at once, and keeps it. It is not kept by the service while nobody has signed in. */
export function choose(chosen: Partial<Preferences>, isSignedIn: boolean): Promise<void> {
  take(chosen)
  if (!isSignedIn) {
    chosenBefore = { ...chosenBefore, ...chosen }
    return Promise.resolve()
  }
  const written = writing.then(write)
  writing = written.catch(() => undefined)
  return written
}

async function write(): Promise<void> {
  const attributes = { value: current }
  if (settingId !== undefined) await send('PATCH', `setting/${settingId}`, { data: { type: 'setting', id: settingId, attributes } })
  else settingId = (await send<Resource>('POST', 'setting', { data: { type: 'setting', attributes: { key: KEY, ...attributes } } })).data.id
}

/** When the session has ended: the next one to sign in may be somebody else. */
export function forgetPerson(): void {
  person = undefined
  settingId = undefined
  chosenBefore = {}
}

function take(chosen: Partial<Preferences>): void {
  current = { ...current, ...chosen }
  try {
    localStorage.setItem(KEY, JSON.stringify({ person, look: current }))
  } catch {
    // A browser may allow no storage: then it is as the service says.
  }
  show()
  for (const listener of listeners) listener()
}

/** Puts them on the page. */
export function show(): void {
  const { documentElement: root } = document
  root.lang = current.language
  if (current.theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = current.theme
  root.dataset['density'] = current.density
}

function defaults(): Preferences {
  const language = navigator.languages.map((one) => one.slice(0, 2)).find((one) => one === 'ru' || one === 'en')
  return { language: language === 'ru' ? 'ru' : 'en', theme: 'system', density: 'comfortable' }
}

function inBrowser(): { person?: unknown; look?: unknown } | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as { person?: unknown; look?: unknown } | null
  } catch {
    return null
  }
}

/** What is one of the choices; another version of the pages, or another program, may have written something else. */
function valid(value: unknown): Partial<Preferences> {
  if (typeof value !== 'object' || value === null) return {}
  const sent = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(choices).flatMap(([name, some]) => ((some as unknown[]).includes(sent[name]) ? [[name, sent[name]]] : [])),
  )
}
