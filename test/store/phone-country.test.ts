import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchInstallation } from '../support/scratch-store.ts'

it('a store does not open with another country than that of its keys, nor while some of them are of another', async () => {
  const settings = { phoneCountry: 'RU' as string | undefined }
  const { open, remove } = await scratchInstallation(settings as { phoneCountry: string })
  try {
    const store = await open()
    const tableId = await createTable(store, operator, { title: 'People' })
    const id = await createField(store, operator, { tableId, title: 'Phone', typeName: 'phone' })
    const field = () =>
      store
        .catalogue()
        .tables.get(tableId)!
        .fields.find((one) => one.id === id)!
    assert.equal(field().type.key!('8 900 123-45-67', field().settings), '79001234567')
    await store.close()

    for (const other of ['', 'KZ']) {
      settings.phoneCountry = other
      await assert.rejects(open(), { code: 'phones.other_country' })
    }
    settings.phoneCountry = undefined
    const again = await open()
    assert.equal(again.catalogue().phoneCountry, 'RU')
    await again.db.write((tx) =>
      tx.run(sql`INSERT INTO meta (name, value) VALUES ('phone_country_coming', '{"to":"DE","fields":[],"twin":0,"last":0}')`),
    )
    await again.close()
    await assert.rejects(open(), { code: 'phones.unfinished', message: /convert-phones --country DE/ })
  } finally {
    await remove()
  }
})
