/*
 * Test files that share a process. Half of what a file costs is to load the program and to run it while nothing of it is compiled yet;
 * files of one process do that once. Each group is a small file that loads its files one after the other.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { abandonedIn, inMemory } from './postgres.mjs'
import { root } from './setup.mjs'

/** Most files of a group: more would save little, and leave less to share among the processors. */
const MOST = 10
const PREFIX = 'kartoteka-memory-'

/** Beginnings of paths below test/ of what starts programs or browsers, measures its process, or tries its limits: each file has a process. */
const ALONE = [
  'browser/',
  'citus/',
  'cli/',
  'clients/',
  'crash/',
  'damage/',
  'differential/',
  'growth/',
  'guides/',
  'http/connections/',
  'http/protocol/hostile-texts',
  'http/protocol/large-bodies',
  'postgres',
  'soak/',
  'sqlite/',
  'store/sets/',
]

/** Folders whose tests are not about the disk: their temporary files are in memory where there is room. Those that kill keep a real disk. */
const OFF_DISK = ['differential/', 'fields/', 'filter/', 'http/', 'limits/', 'standard/', 'store/']

/** A directory in memory for the temporary files of tests, gone with this process; undefined where there is none. */
export function makeMemory() {
  const place = inMemory()
  if (place === undefined) return undefined
  for (const left of abandonedIn(place, PREFIX)) rmSync(left, { recursive: true, force: true })
  const made = mkdtempSync(join(place, `${PREFIX}${process.pid}-`))
  process.once('exit', () => rmSync(made, { recursive: true, force: true, maxRetries: 3 }))
  return made
}

/** Files to run instead of these, each in a process of its own; they are written into `folder`. */
export function groupsOf(files, folder, memory) {
  mkdirSync(folder, { recursive: true })
  const kinds = [
    { chosen: files.filter(isOffDisk), directory: memory },
    { chosen: files.filter((file) => !isOffDisk(file)), directory: undefined },
  ]
  const groups = kinds.flatMap(({ chosen, directory }) => {
    const together = chosen.filter((file) => !isAlone(file))
    // However few there are, each processor has its part.
    const size = Math.min(MOST, Math.ceil(together.length / 4))
    const parts = Array.from({ length: Math.ceil(together.length / size) || 0 }, (_, part) =>
      together.slice(part * size, (part + 1) * size),
    )
    return [...chosen.filter(isAlone).map((file) => [file]), ...parts].map((group) => ({ group, directory }))
  })
  return groups.map(({ group, directory }, index) => {
    if (group.length === 1 && directory === undefined) return group[0]
    const file = join(folder, `group-${String(index + 1).padStart(3, '0')}.mjs`)
    writeFileSync(file, textOf(group, directory))
    return file
  })
}

const isBelow = (file, beginnings) => beginnings.some((path) => file.startsWith(`test/${path}`))
const isOffDisk = (file) => isBelow(file, OFF_DISK) && !file.includes('kill')

/** Hooks outside of any suite would be those of all files of a group. */
function isAlone(file) {
  return isBelow(file, ALONE) || /^(before|after)(Each)?\(/m.test(readFileSync(join(root, file), 'utf8'))
}

function textOf(group, directory) {
  const lines = [
    "import { it } from 'node:test'",
    ...(directory === undefined ? [] : [`process.env.TMPDIR = ${JSON.stringify(directory)}`]),
    ...group.map((file) => {
      const url = JSON.stringify(pathToFileURL(join(root, file)).href)
      return `await import(${url}).catch((error) => it(${JSON.stringify(file)}, () => Promise.reject(error)))`
    }),
  ]
  return `${lines.join('\n')}\n`
}
