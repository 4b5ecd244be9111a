import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { readdirSync, readFileSync } from 'node:fs'
import { messages } from './messages.ts'

it('no message has two meanings: a name stands in one area alone', async () => {
  const folder = new URL('messages/', import.meta.url)
  const areas = readdirSync(folder).filter((file) => file !== 'texts.ts')
  const names: string[] = []
  for (const area of areas) {
    const texts = (await import(new URL(area, folder).href)) as Record<string, object>
    names.push(...Object.values(texts).flatMap((part) => Object.keys(part)))
    assert.match(readFileSync(new URL(area, folder), 'utf8'), /as const satisfies Texts/)
  }
  assert.deepEqual(names.toSorted(), Object.keys(messages).toSorted())
})

it('both languages of a message are understood, and take the same values', () => {
  // A compiled message is its text, or a list of texts and of values: [name], or [name, format, choices].
  const valuesOf = (parts: unknown): string[] =>
    !Array.isArray(parts)
      ? []
      : parts.flatMap((part: unknown) =>
          Array.isArray(part) ? [String(part[0]), ...Object.values((part[2] as object | undefined) ?? {}).flatMap(valuesOf)] : [],
        )
  for (const [name, [en, ru]] of Object.entries(messages)) {
    const [one, other] = [en, ru].map((text) => [...new Set(valuesOf(compileMessage(text)))].toSorted())
    assert.deepEqual(one, other, name)
  }
})
