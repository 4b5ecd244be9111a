/*
 * npm run check [-- step …] [-- --without step …]: everything that must hold before a change is done. Each step runs even
 * if one before it failed; what a step says is shown only then, but for the tests.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies, ensureNode, ensureWeb, orExplain, root } from './setup.mjs'

orExplain(() => ensureDependencies({ development: true }))
const node = orExplain(ensureNode)
orExplain(() => ensureWeb({ development: true }))

const tool = (name, ...args) => [join('node_modules', name), ...args]
/** Those with sources. */
const webFolders = readdirSync(join(root, 'web'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name) ? [`web/${entry.name}`] : [],
)

const steps = {
  types: tool('typescript/bin/tsc', '--noEmit'),
  web: tool('typescript/bin/tsc', '--noEmit', '-p', 'web'),
  lint: tool('oxlint/bin/oxlint', '--deny-warnings', '--report-unused-disable-directives', 'src', 'web', 'test', 'bench', 'scripts', 'bin'),
  format: tool('oxfmt/bin/oxfmt', '--check', '.'),
  arrows: tool('dependency-cruiser/bin/dependency-cruiser.mjs', '--config', 'dependency-rules.cjs', 'src', ...webFolders),
  docs: ['scripts/docs.ts', '--check'],
  rules: ['--test', 'scripts/*.test.mjs'],
  tests: ['scripts/test.mjs'],
}

const args = process.argv.slice(2)
const without = args.indexOf('--without')
const named = without === -1 ? args : args.slice(without + 1)
for (const name of named) if (!(name in steps)) stop(`There is no step '${name}'. Steps: ${Object.keys(steps).join(', ')}.`)
const chosen = Object.keys(steps).filter((name) => (without === -1 ? named.length === 0 || named.includes(name) : !named.includes(name)))

const failed = chosen.filter((name) => !passes(name))
if (failed.length > 0) stop(`Failed: ${failed.join(', ')}.`)
console.log('All checks passed.')

function passes(name) {
  const began = performance.now()
  const loud = name === 'tests'
  const done = spawnSync(node, steps[name], { cwd: root, stdio: loud ? 'inherit' : 'pipe', encoding: 'utf8' })
  if (!loud && done.status !== 0) console.log(`${done.stdout}${done.stderr}`.trimEnd())
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${done.status === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(7)} ${seconds.padStart(6)} s`)
  return done.status === 0
}

function stop(message) {
  console.error(message)
  process.exit(1)
}
