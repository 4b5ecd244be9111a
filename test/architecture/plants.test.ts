import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { plants, slowPlants } from '../differential/plants.ts'

test('every planted fault of the differential finds its place in the source, once', () => {
  const lost = Object.entries({ ...plants, ...slowPlants }).filter(
    ([, { file, find }]) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(find).length !== 2,
  )
  assert.deepEqual(
    lost.map(([name]) => name),
    [],
  )
})
