/* A reporter of node:test that tells only of the tests that failed, each with its file, the seed of random tests and its error. */
import { relative } from 'node:path'
import { inspect } from 'node:util'

/** Yields one text for each failed test, not for a suite that failed only because of a test in it. */
// A reporter has to be a default export (node:test).
// oxlint-disable-next-line import/no-default-export
export default async function* failures(source) {
  for await (const { type, data } of source) {
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
