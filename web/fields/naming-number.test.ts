import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isNamingNumber } from './naming-number.ts'

const isOne = (title: string) => isNamingNumber({ title, isUnique: false })

it('a whole number names something by the name of its field', () => {
  for (const title of ['ID', 'orderID', 'customer_id', 'Order no.', 'Order №', 'Year', 'ИНН', 'Номер', 'Код клиента ИД', 'Zip code'])
    assert.ok(isOne(title), title)
  for (const title of ['Amount', 'Paid', 'Number of people', 'Grid', 'Years', 'Количество', '', '№ of boxes', 'Расход'])
    assert.ok(!isOne(title), title)
  assert.ok(isNamingNumber({ title: 'Amount', isUnique: true }))
})
