/*
 * npm test [-- [--quick] [file or name …]]: the test-suite. An argument that occurs in the path of a test file chooses that
 * file, any other chooses tests by name. --quick lets tests of random cases run fewer of them.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ensureDependencies, ensureNode, orExplain, root } from './setup.mjs'

orExplain(() => ensureDependencies({ development: true }))
const node = orExplain(ensureNode)

const args = process.argv.slice(2)
const wanted = args.filter((arg) => arg !== '--quick')
const all = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`.replaceAll('\\', '/')),
)
const files = all.filter((file) => file.endsWith('.test.ts')).sort()
const inPath = wanted.filter((arg) => files.some((file) => file.includes(arg)))
const chosen = inPath.length === 0 ? files : files.filter((file) => inPath.some((arg) => file.includes(arg)))
const names = wanted.filter((arg) => !inPath.includes(arg)).map((name) => `--test-name-pattern=${name}`)

// The settings of a server that this shell may have are none of the tests' business.
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'PORT' && !name.startsWith('KARTOTEKA_')))
environment.NODE_COMPILE_CACHE ??= join(root, '.cache', 'tests')
if (args.includes('--quick')) environment.KARTOTEKA_TEST_QUICK = '1'

const options = ['--test', `--test-concurrency=${Math.min(4, availableParallelism())}`, '--test-timeout=300000', ...names]
const tests = spawn(node, [...options, ...chosen], { cwd: root, env: environment, stdio: 'inherit' })
tests.on('exit', (code) => process.exit(code ?? 1))
