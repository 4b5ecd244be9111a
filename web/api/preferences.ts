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

let current: Preferences = { ...defaults(), ...valid(inBrowser()) }
let settingId: string | undefined
const listeners = new Set<() => void>()

export const preferences = (): Preferences => current

/** For dates and numbers: the kind of the language that the browser is set to, such as en-GB. */
export const locale = (): string => navigator.languages.find((one) => one.split('-')[0] === current.language) ?? current.language

export const usePreferences = (): Preferences =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, preferences)

/** Reads those of the person who has signed in. What they have chosen elsewhere wins. */
export async function loadPreferences(): Promise<void> {
  const { data } = await send<readonly Resource[]>('GET', `setting?filter=eq(key,'${KEY}')`)
  settingId = data[0]?.id
  if (data[0]) take(valid(data[0].attributes['value']))
}

/** Shows the choice at once, and keeps it. It is not kept by the service while nobody has signed in. */
export async function choose(chosen: Partial<Preferences>, isSignedIn: boolean): Promise<void> {
  take(chosen)
  if (!isSignedIn) return
  const attributes = { value: current }
  if (settingId !== undefined) await send('PATCH', `setting/${settingId}`, { data: { type: 'setting', id: settingId, attributes } })
  else settingId = (await send<Resource>('POST', 'setting', { data: { type: 'setting', attributes: { key: KEY, ...attributes } } })).data.id
}

/** After somebody has signed out. */
export const forgetPreferences = (): void => void (settingId = undefined)

function take(chosen: Partial<Preferences>): void {
  current = { ...current, ...chosen }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
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

function inBrowser(): unknown {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null')
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
