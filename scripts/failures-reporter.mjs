/*
 * A reporter of node:test that tells only of the tests that failed, each with its file, the seed of random tests and its error, and what the pages
 * of a browser showed (test/browser/support/shown.ts).
 */
import { relative } from 'node:path'
import { inspect } from 'node:util'

/** Yields one text for each failed test, not for a suite that failed only because of a test in it. */
// A reporter has to be a default export (node:test).
// oxlint-disable-next-line import/no-default-export
export default async function* failures(source) {
  for await (const { type, data } of source) {
    if (type === 'test:diagnostic' && data.message.startsWith('Page at ')) yield `${indented(data.message)}\n`
    if (type !== 'test:fail' || data.todo) continue
    const error = data.details.error
    if (error.failureType === 'subtestsFailed') continue
    const place = data.file ? ` (${relative(process.cwd(), data.file)}:${data.line ?? 1})` : ''
    const seed = process.env.KARTOTEKA_TEST_SEED
    yield `✖ ${data.name}${place}${seed === undefined ? '' : `, seed ${seed}`}\n${indented(inspect(error.cause ?? error, { depth: 4 }))}\n`
  }
}

function indented(text) {
  return text
    .split('\n')
    .slice(0, 60)
    .map((line) => `    ${line}`)
    .join('\n')
}

/** Files that are run once more, at most. */
const MOST_AGAIN = 3

/**
 * The files of what failed, by the text of the reporter, where all are tests of the pages and few: on a busy machine a page and
 * the service answer in many orders. Otherwise none.
 */
export function unsteadyIn(told) {
  const lines = told.split('\n').filter((line) => line.startsWith('✖ '))
  const files = [...new Set(lines.map((line) => / \((test\/browser\/[^():]+\.test\.ts):\d+\)/.exec(line)?.[1]))]
  return files.length <= MOST_AGAIN && !files.includes(undefined) ? files : []
}
