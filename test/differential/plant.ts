import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { plants, slowPlants } from './plants.ts'

/* node --import test/differential/plant.ts with KARTOTEKA_TEST_PLANT=<name>: the process then runs with that fault (plants.ts). */

const name = process.env['KARTOTEKA_TEST_PLANT'] ?? ''
const plant = plants[name] ?? slowPlants[name]
if (!plant) throw new Error(`There is no planted fault '${name}'.`)
const { file, find, replace } = plant
const url = new URL(`../../${file}`, import.meta.url)
if (readFileSync(url, 'utf8').split(find).length !== 2) throw new Error(`${file} does not have once: ${find}`)

registerHooks({
  load(address, context, next) {
    const loaded = next(address, context)
    if (address !== url.href) return loaded
    return { ...loaded, source: String(loaded.source).replace(find, () => replace) }
  },
})
