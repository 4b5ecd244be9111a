import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { tools } from '../support/openapi.ts'
import { startService, type Service } from '../support/service.ts'

/* A client that a common generator (Hey API) makes of the OpenAPI document: it is type-checked, and works against the service. */

const program = `
import { deleteData1ByRecord, getData1, getData1ByRecord, patchData1ByRecord, postData1 } from './made/sdk.gen.ts'
import { createClient } from './made/client/index.ts'

export async function work(baseUrl: string, token: string) {
  const client = createClient({ baseUrl, auth: () => token })
  const create = async (f1: string, f2: 'cold' | 'warm') =>
    (await postData1({ client, body: { data: { type: 'data1', attributes: { f1, f2 } } }, throwOnError: true })).data.data
  const made = await create('Blue Heron', 'warm')
  for (const name of ['Lagoa', 'Porto', 'Braga']) await create(name, 'cold')
  const query = { filter: "eq(f2,'cold')", sort: 'f1', 'page[limit]': 2, 'page[offset]': 2 }
  const page = (await getData1({ client, query, throwOnError: true })).data
  const path = { record: Number(made.id) }
  const changed = (await patchData1ByRecord({ client, path, body: { data: { type: 'data1', id: made.id, attributes: { f2: 'cold' } } }, throwOnError: true })).data
  await deleteData1ByRecord({ client, path, throwOnError: true })
  const { error, response } = await getData1ByRecord({ client, path })
  return {
    named: made.attributes?.f1,
    page: page.data.map(({ attributes }) => attributes?.f1),
    total: (page.meta as { total?: number }).total,
    changed: changed.data.attributes?.f2,
    gone: [response?.status, error?.errors[0]?.code],
  }
}
`

describe('a client that is generated from the OpenAPI document', () => {
  let service: Service
  let folder: string
  before(async () => {
    service = await startService()
    await service.table('Companies', {
      Name: { typeName: 'text', required: true },
      Stage: { typeName: 'list', options: [{ label: 'cold' }, { label: 'warm' }] },
    })
    folder = mkdtempSync(join(tmpdir(), 'kartoteka-generated-'))
    const generator = join(tools, 'node_modules/@hey-api/openapi-ts/dist/index.mjs')
    const { createClient } = (await import(pathToFileURL(generator).href)) as { createClient(options: object): Promise<unknown> }
    await createClient({
      input: (await service.get('openapi.json?tables=1')).json,
      output: { path: join(folder, 'made'), module: { extension: '.ts' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', { name: '@hey-api/sdk', auth: true }],
      logs: { level: 'silent', file: false },
    })
    writeFileSync(join(folder, 'program.ts'), program)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.close()
  })

  it('is accepted by the compiler', () => {
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--lib', 'es2024,dom,dom.iterable', '--module', 'nodenext',
      '--allowImportingTsExtensions'] // prettier-ignore
    const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options, join(folder, 'program.ts')], {
      encoding: 'utf8',
    })
    assert.equal(stdout, '')
  })

  it('creates, lists with a filter and pages, changes, deletes, and gets errors', async () => {
    const { work } = (await import(pathToFileURL(join(folder, 'program.ts')).href)) as {
      work(url: string, token: string): Promise<unknown>
    }
    assert.deepEqual(await work(service.url, service.token), {
      named: 'Blue Heron',
      page: ['Porto'],
      total: 3,
      changed: 'cold',
      gone: [404, 'record.not_found'],
    })
  })
})
