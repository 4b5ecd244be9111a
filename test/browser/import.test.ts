import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { HOSTILE, pagesScene, password, type PagesScene } from './support/pages-scene.ts'

interface Listed {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/* Bringing files, as people do: they drop one, look, and have a table. */

describe('the page of imports', () => {
  let scene: PagesScene
  before(async () => (scene = await pagesScene()))
  after(() => scene?.close())

  /** Drops a file at an element, as a file manager does. */
  async function drop(page: Page, at: string, name: string, text: string): Promise<void> {
    const drag = (type: string) =>
      page.evaluate<void>(`(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
        document.querySelector(${JSON.stringify(at)}).dispatchEvent(new DragEvent('${type}', { dataTransfer, bubbles: true, cancelable: true }))
      })()`)
    await until('the place to drop it', async () => {
      await drag('dragover')
      return page.getByText(/^Drop the file/).isVisible()
    })
    await drag('drop')
  }
  const choose = async (page: Page, name: string, content: string | Buffer) => {
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await page.locator('.file-place input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
  }
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const list = async (path: string) => (await scene.server.call(scene.token, 'GET', path)).body

  it('a file dropped on an open table becomes a new one where its columns are others, and is linked to the table by one click', async () => {
    const { page, context, faults } = await scene.open()
    const clients = await scene.make('table', { table_name: 'Clients' })
    const code = await scene.make('field', { table_id: Number(clients), field_name: 'clientID', field_type: 'text' })
    await scene.make('field', { table_id: Number(clients), field_name: 'Company', field_type: 'text' })
    await scene.make(`data${clients}`, { [`f${code}`]: 'ALFKI', [`f${Number(code) + 1}`]: 'Alfreds' })
    await scene.signIn(page, `/t/${clients}`)
    await page.getByRole('link', { name: 'ALFKI' }).waitFor()
    await drop(page, '.table-list', 'more.csv', 'clientID,Company\nBERGS,Berglund\n')
    await heading(page, 'The first line')
    assert.equal(await page.getByLabel('Where to').inputValue(), clients)
    await page.goto(scene.address(`/t/${clients}`))
    await page.getByRole('link', { name: 'ALFKI' }).waitFor()
    await drop(page, '.table-list', 'orders.csv', 'orderID,clientID,Amount\n1,ALFKI,10.50\n2,ALFKI,7.00\n')
    await heading(page, 'The first 2 lines')
    assert.equal(await page.getByLabel('Where to').inputValue(), '')
    await page.getByRole('columnheader', { name: 'clientID' }).getByRole('button', { name: 'Link to Clients' }).click()
    await until('the link', async () => (await page.getByLabel('Type of clientID').inputValue()) === `${clients}.f${code}`)
    await button(page, 'Import').click()
    await heading(page, '2 records are in')
    const field = (await list(`field/${code}`)).data as Listed
    assert.equal(field.attributes['unique'], true)
    const orders = ((await list(`table?filter=eq(table_name,'Orders')`)).data as { id: string }[])[0]!.id
    const [, link] = (await list(`field?filter=eq(table_id,${orders})&sort=sequence_number`)).data as Listed[]
    assert.equal(link!.attributes['field_type'], 'reference')
    const [order] = (await list(`data${orders}`)).data as Listed[]
    assert.equal(order!.attributes[String(link!.attributes['int_name'])], '1')
    await scene.server.call(scene.token, 'DELETE', `table/${orders}`)
    await scene.server.call(scene.token, 'DELETE', `table/${clients}`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('proposes a link where a column has the name of a table, or of its titles, and most of its values are there', async () => {
    const { page, context, faults } = await scene.open()
    const suppliers = await scene.make('table', { table_name: 'Suppliers' })
    const name = await scene.make('field', { table_id: Number(suppliers), field_name: 'Supplier name', field_type: 'text' })
    for (const one of ['Acme', 'Birch', 'Cedar']) await scene.make(`data${suppliers}`, { [`f${name}`]: one })
    await scene.signIn(page, '/import')
    const lines = ['Part,Supplier,Supplier name,Second', 'Bolt,ACME,Red,1', 'Nut,Birch,Blue,2', 'Cog,Dove,Acme,3']
    await choose(page, 'parts.csv', lines.join('\n'))
    await heading(page, 'The first 3 lines')
    const links = page.getByRole('button', { name: 'Link to Suppliers' })
    await page
      .getByRole('columnheader', { name: 'Supplier', exact: false })
      .nth(0)
      .getByRole('button', { name: 'Link to Suppliers' })
      .click()
    await until(
      'the link',
      async () => (await page.getByLabel('Type of Supplier', { exact: true }).inputValue()) === `${suppliers}.f${name}`,
    )
    // Of the values of the other column most are not there.
    await until('no other', async () => (await links.count()) === 0)
    await button(page, 'Import').click()
    await heading(page, '2 records are in')
    const parts = ((await list(`table?filter=eq(table_name,'Parts')`)).data as { id: string }[])[0]!.id
    const [, link] = (await list(`field?filter=eq(table_id,${parts})&sort=sequence_number`)).data as Listed[]
    const held = ((await list(`data${parts}?sort=id`)).data as Listed[]).map(
      ({ attributes }) => attributes[String(link!.attributes['int_name'])],
    )
    assert.deepEqual(held, ['1', '2'])
    await scene.server.call(scene.token, 'DELETE', `table/${parts}`)
    await scene.server.call(scene.token, 'DELETE', `table/${suppliers}`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('from the menu of a table goes into that table, also for who may not make tables', async () => {
    const rights = { create: true, read: true, update: true, bed: true, print: true }
    const tables: string[] = []
    for (const name of ['Aviaries', 'Birds', 'Cages']) tables.push(await scene.make('table', { table_name: name }))
    const [, birds, cages] = tables as [string, string, string]
    for (const one of tables) {
      await scene.make('field', { table_id: Number(one), field_name: 'Name', field_type: 'text' })
      await scene.make('access', { group_id: 3, table_id: Number(one), ...rights, ...(one === cages && { create: false }) })
    }
    await scene.make('user', { login: 'olga', fio: 'Olga', group_id: 3, password })
    for (const login of ['admin', 'olga']) {
      const { page, context, faults } = await scene.open()
      await scene.signIn(page, `/t/${birds}`, login)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Import a file' }).click()
      await page.getByText('into Birds').waitFor()
      await choose(page, 'birds.csv', 'Name\nHeron\n')
      await heading(page, 'The first line')
      assert.equal(await page.getByLabel('Where to').inputValue(), birds, login)
      if (login === 'olga') {
        // What does not go there is not offered there.
        await page.goto(scene.address(`/t/${cages}`))
        await page.getByRole('button', { name: 'More', exact: true }).click()
        await page.getByRole('menuitem', { name: /CSV/ }).waitFor()
        assert.equal(await page.getByRole('menuitem', { name: 'Import a file' }).count(), 0)
      }
      assert.deepEqual(faults, [])
      await context.close()
    }
    for (const one of tables) await scene.server.call(scene.token, 'DELETE', `table/${one}`)
  })

  it('a file dropped on the first page is a table after two clicks, and is taken back whole', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page)
    await drop(page, '#work', 'our_clients.csv', 'Name;Since;Turnover\nHeron;31.12.2024;"1 234,56"\nLagoa;01.02.2023;"98 700,00"\n')
    await heading(page, 'The first 2 lines')
    assert.equal(await page.getByLabel('Name of the table').inputValue(), 'Our clients')
    assert.match(await page.getByRole('columnheader', { name: 'Since' }).innerText(), /Dates like DD\.MM\.YYYY/)
    await button(page, 'Import').click()
    await heading(page, '2 records are in')
    await page.getByRole('link', { name: 'Open the table' }).click()
    await page.waitForURL(/\/t\/\d+$/)
    await page.getByText('31 Dec 2024').first().waitFor()
    await page.goBack()
    await heading(page, '2 records are in')
    await button(page, 'Undo this import').click()
    await heading(page, 'The import is taken back.')
    await page.getByText('Its table is in the trash.').waitFor()
    assert.deepEqual((await list('table')).data, [])
    // The table is there whole, with its records; they are no entries of their own.
    await page.getByRole('link', { name: 'Trash' }).first().click()
    assert.equal((await list(`trash?filter=eq(kind,'record')`)).meta.total, 0)
    await page.getByRole('button', { name: 'Restore Our clients' }).click()
    await page.getByText('Our clients is back.').waitFor()
    const [back] = (await list('table')).data
    assert.equal((await list(`data${back.id}`)).meta.total, 2)
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page.getByText('Import into Our clients').waitFor()
    await scene.server.call(scene.token, 'DELETE', `table/${back.id}`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('shows the first 50 lines of a longer file, and imports all', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/import')
    await choose(page, 'long.csv', `Name\n${Array.from({ length: 120 }, (_, i) => `Client ${i + 1}\n`).join('')}`)
    await heading(page, 'The first 50 lines')
    const lines = page.locator('table tbody tr')
    assert.equal(await lines.count(), 50)
    assert.match(await lines.last().innerText(), /Client 50$/)
    await button(page, 'Import').click()
    await heading(page, '120 records are in')
    assert.deepEqual(faults, [])
    await context.close()
    const [made] = (await list("table?filter=eq(table_name,'Long')")).data as readonly Listed[]
    await scene.server.call(scene.token, 'DELETE', `table/${made!.id}`)
  })

  it('an export for spreadsheets comes back as it was: its apostrophes are noticed, and taken away by one click', async () => {
    const table = await scene.make('table', { table_name: 'Calls' })
    const field = async (field_name: string, field_type: string) =>
      `f${await scene.make('field', { table_id: Number(table), field_name, field_type })}`
    const [name, phone] = [await field('Name', 'text'), await field('Phone', 'phone')]
    await scene.make(`data${table}`, { [name]: "O'Hara", [phone]: '+44 117 496 01-01' })
    await scene.make(`data${table}`, { [name]: '=1+1', [phone]: '' })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${table}`)
    await page.getByText('=1+1').first().waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Export as CSV' }).click()])
    const csv = readFileSync(await file.path(), 'utf8')
    assert.equal(csv, "\ufeffid,Name,Phone\n1,O'Hara,'+44 117 496 01-01\n2,'=1+1,\n")
    await page.goto(scene.address('/import'))
    await choose(page, 'calls_again.csv', csv)
    await heading(page, 'The first 2 lines')
    await page.getByText(/^Some values begin with an apostrophe/).waitFor()
    await mustBeAccessible(page, 'apostrophes in a file')
    // What was chosen before stays, and there is a way back.
    const type = page.getByLabel('Type of Name')
    await type.selectOption('longtext')
    await button(page, 'Take the apostrophes away').click()
    await page.getByText(/^Some values begin with an apostrophe/).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: '+44 117 496 01-01', exact: true }).waitFor()
    await button(page, 'Put the apostrophes back').click()
    await page.getByRole('cell', { name: "'+44 117 496 01-01", exact: true }).waitFor()
    await button(page, 'Take the apostrophes away').click()
    await page.getByRole('cell', { name: '+44 117 496 01-01', exact: true }).waitFor()
    assert.equal(await type.inputValue(), 'longtext')
    await button(page, 'Import').click()
    await heading(page, '2 records are in')
    const [made] = (await list("table?filter=eq(table_name,'Calls again')")).data as readonly Listed[]
    const values = (await list(`data${made!.id}`)).data.flatMap(({ attributes }: Listed) => Object.values(attributes))
    for (const value of ["O'Hara", '+44 117 496 01-01', '=1+1']) assert.ok(values.includes(value), `${value} in ${values.join(' | ')}`)
    assert.deepEqual(faults, [])
    await context.close()
    for (const id of [table, made!.id]) await scene.server.call(scene.token, 'DELETE', `table/${id}`)
  })

  it('letters of Windows, hostile names and values, and lines that do not fit: tried, imported, mended', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/import')
    const header = HOSTILE.replaceAll('"', '""')
    // windows-1251: each letter of the Russian alphabet is one byte.
    const text = `Имя;"${header}";Дата\r\nЁлка;"${header}";31.12.2024\r\nСосна;=1+1;весна\r\n`
    const bytes = Buffer.from([...text].map((letter) => (letter === 'Ё' ? 0xa8 : letter > 'Ͽ' ? letter.charCodeAt(0) - 0x350 : letter.charCodeAt(0)))) // prettier-ignore
    await choose(page, `${HOSTILE.slice(0, 60).replaceAll(/[/"]/g, '')}.csv`, bytes)
    await heading(page, 'The first 2 lines')
    assert.equal(await page.getByLabel('Letters').inputValue(), 'windows-1251')
    // The name of the column has commas.
    await page.getByLabel('Columns end with').selectOption(';')
    await page.getByRole('cell', { name: 'Ёлка' }).waitFor()
    await page.getByLabel('Type of Дата').selectOption('date')
    await button(page, 'Fields').click()
    await heading(page, 'Where each column goes')
    await page.getByLabel('Name of the new field for Имя').fill('Дерево')
    await page.getByLabel('No two alike in Имя').check()
    await page.getByLabel('How Дата is written').selectOption('DD.MM.YYYY')
    await button(page, 'Check first').click()
    await heading(page, 'What would happen')
    await page.getByRole('row', { name: /3 Дата .*весна/ }).waitFor()
    assert.deepEqual((await list('table')).data, [])
    await button(page, 'Import').click()
    await heading(page, '1 record is in')
    const address = await page.getByRole('link', { name: 'Lines with reasons as a file' }).getAttribute('href')
    assert.match(await page.evaluate<string>(`fetch(${JSON.stringify(address)}).then((answer) => answer.text())`), /весна/)
    const [table] = (await list('table')).data
    const fields = (await list(`field?filter=eq(table_id,${table.id})`)).data.map(({ attributes }: Listed) => [
      attributes.field_type,
      attributes.unique,
    ])
    assert.deepEqual(fields, [['text', true], ['longtext', false], ['date', false]]) // prettier-ignore
    assert.ok(Object.values((await list(`data${table.id}`)).data[0].attributes).includes('Ёлка'))
    assert.equal(await page.locator('img').count(), 0)
    assert.notEqual(await page.title(), 'run')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('lines change records that are there, columns go where one says, links are found by a unique field', async () => {
    const { page, context, faults } = await scene.open()
    const table = await scene.make('table', { table_name: 'Companies' })
    const code = await scene.make('field', { table_id: Number(table), field_name: 'Code', field_type: 'text', unique: true })
    const name = await scene.make('field', { table_id: Number(table), field_name: 'Company', field_type: 'text' })
    await scene.make(`data${table}`, { [`f${code}`]: 'A', [`f${name}`]: 'Old' })
    await scene.signIn(page, `/import?table=${table}`)
    await choose(page, 'changes.csv', 'Code,Title,Junk\nA,New,1\nB,Other,2\n')
    await heading(page, 'The first 2 lines')
    await button(page, 'Fields').click()
    await page.getByLabel('Field for Title').selectOption({ label: 'Company' })
    await page.getByLabel('When a record is there already').selectOption({ label: 'Change it, found by Code' })
    await button(page, 'Import').click()
    await heading(page, '2 records are in')
    await page.getByText('1 new, 1 changed.').waitFor()
    const values = (await list(`data${table}?sort=id`)).data.map(({ attributes }: Listed) => attributes[`f${name}`])
    assert.deepEqual(values, ['New', 'Other'])
    await page.getByRole('link', { name: 'Import another' }).click()
    // Into a new table now, whose column names companies by their codes.
    await page.goto(scene.address('/import'))
    await choose(page, 'deals.csv', 'Deal,Firm\nBicycles,A\nHelmets,Z\n')
    await page.getByLabel('Type of Firm').selectOption({ label: 'Link to Companies by Code' })
    await button(page, 'Import').click()
    await heading(page, '1 record is in')
    await page.getByText('1 line was left out.').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a column of a new table names records of the same table', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/import')
    // A manager may stand below those whose manager they are.
    await choose(page, 'staff.csv', 'Who,Manager\nAnna,Clara\nBoris,Anna\nClara,\n')
    await heading(page, 'The first 3 lines')
    await page.getByLabel('Type of Manager').selectOption({ label: 'Link within this table by Who' })
    await button(page, 'Fields').click()
    await heading(page, 'Where each column goes')
    await until('the key', () => page.getByLabel('No two alike in Who').isChecked())
    // What names it goes with its name, which may have a point in it.
    await page.getByLabel('Name of the new field for Who').fill('Name, in full. No title')
    await page.keyboard.press('Enter')
    await page.locator('option', { hasText: 'Link within this table by Name, in full. No title' }).first().waitFor({ state: 'attached' })
    await button(page, 'Import').click()
    await heading(page, '3 records are in')
    const staff = ((await list(`table?filter=eq(table_name,'Staff')`)).data as Listed[])[0]!.id
    const [name, manager] = (await list(`field?filter=eq(table_id,${staff})&sort=sequence_number`)).data as Listed[]
    assert.deepEqual([name!.attributes['field_name'], name!.attributes['unique']], ['Name, in full. No title', true])
    assert.deepEqual([manager!.attributes['field_type'], String(manager!.attributes['reference_table_id'])], ['reference', staff])
    const who = (await list(`data${staff}?sort=id`)).data as Listed[]
    assert.deepEqual(who.map(({ attributes }) => attributes[`f${manager!.id}`]), ['3', '1', '0']) // prettier-ignore
    await scene.server.call(scene.token, 'DELETE', `table/${staff}`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a long import can be left, found again and cancelled', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, '/import')
    const lines = Array.from({ length: 200_000 }, (_, i) => `name ${i},${i},word${i} other${i}`)
    await choose(page, 'long.csv', `a,b,c\n${lines.join('\n')}\n`)
    await button(page, 'Import').click()
    await heading(page, 'Importing')
    const here = page.url()
    await page.goto(scene.address('/profile'))
    await page.goto(here)
    await button(page, 'Cancel').click()
    await heading(page, 'The import was cancelled')
    await page.getByText(/records? stays? in the table|Nothing was imported/).waitFor()
    await context.close()
  })

  it('opened again from the list of jobs shows the name of the table that it makes', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, '/import')
    await choose(page, 'birches.csv', 'Name,Height\nBirch,12.5\n')
    await heading(page, 'The first line')
    await page.goto(scene.address('/jobs'))
    await page.getByRole('listitem').filter({ hasText: 'not begun' }).first().getByRole('link', { name: 'Go on' }).click()
    await until('the name', async () => (await page.getByLabel('Name of the table').inputValue()) === 'Birches')
    await context.close()
  })

  it('is tried on a phone, before anything is stored', async () => {
    const { page, context, faults } = await scene.open({ width: 390, height: 844 })
    await scene.signIn(page, '/import')
    await choose(page, 'ferns.csv', 'Name,Height\nBracken,1.5\nHart,"tall, very"\n')
    await heading(page, 'The first 2 lines')
    await button(page, 'Fields').click()
    await page.getByLabel('Type of Height').selectOption('decimal')
    const box = (await button(page, 'Check first').boundingBox())!
    assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.height >= 40, JSON.stringify(box))
    await button(page, 'Check first').click()
    await heading(page, 'What would happen')
    assert.deepEqual((await list("table?filter=eq(table_name,'Ferns')")).data, [])
    await button(page, 'Import').click()
    await heading(page, '1 record is in')
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('names several records of a column by a field of choice', async () => {
    const { page, context, faults } = await scene.open()
    const firms = await scene.make('table', { table_name: 'Firms' })
    const called = await scene.make('field', { table_id: Number(firms), field_name: 'Called', field_type: 'text', unique: true })
    for (const name of ['Acme', 'Gamma']) await scene.make(`data${firms}`, { [`f${called}`]: name })
    const orders = await scene.make('table', { table_name: 'Orders' })
    const of = await scene.make('field', { table_id: Number(orders), field_name: 'Firms', field_type: 'references', reference_table_id: Number(firms) }) // prettier-ignore
    await scene.signIn(page, `/import?table=${orders}`)
    await choose(page, 'orders.csv', 'Firms\n"Acme, Gamma"\nGamma\n')
    await heading(page, 'The first 2 lines')
    await button(page, 'Fields').click()
    await page.getByLabel('Type of Firms').selectOption(`${firms}.f${called}`)
    await button(page, 'Import').click()
    await heading(page, '2 records are in')
    const held = (await list(`data${orders}?sort=id`)).data.map(({ attributes }: { attributes: object }) =>
      Object.values(attributes).at(-1),
    )
    assert.deepEqual([of !== '', held], [true, ['-1-2-', '-2-']])
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('makes a field whose values name several records, of a new table and of one that is there', async () => {
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(10_000)
    const labels = await scene.make('table', { table_name: 'Labels' })
    const word = await scene.make('field', { table_id: Number(labels), field_name: 'Word', field_type: 'text', unique: true })
    const code = await scene.make('field', { table_id: Number(labels), field_name: 'Code', field_type: 'text', unique: true })
    for (const [name, its] of [['red', 'R'], ['dry', 'D']] as const) await scene.make(`data${labels}`, { [`f${word}`]: name, [`f${code}`]: its }) // prettier-ignore
    const wines = await scene.make('table', { table_name: 'Wines' })
    await scene.make('field', { table_id: Number(wines), field_name: 'Name', field_type: 'text' })
    await scene.signIn(page)
    const several = page.getByLabel('Several records in a value of Labels')
    for (const [path, table] of [
      [`/import?table=${wines}`, 'Wines'],
      ['/import', 'Drinks'],
    ] as const) {
      await page.goto(scene.address(path))
      await choose(page, 'drinks.csv', 'Name,Labels\nMalbec,"red, dry"\nRiesling,dry\n')
      await heading(page, 'The first 2 lines')
      await button(page, 'Fields').click()
      if (table === 'Wines') await page.getByLabel('Field for Labels').selectOption({ label: 'New field' })
      await page.getByLabel('Type of Labels').selectOption(`${labels}.f${code}`)
      await several.check()
      // Another field names several too.
      await page.getByLabel('Type of Labels').selectOption(`${labels}.f${word}`)
      await until('the field', async () => (await page.getByLabel('Type of Labels').inputValue()) === `${labels}.f${word}`)
      assert.equal(await several.isChecked(), true)
      await mustBeAccessible(page, 'several records')
      await button(page, 'Import').click()
      await heading(page, '2 records are in')
      const id = (await list(`table?filter=eq(table_name,'${table}')`)).data[0].id
      const field = (await list(`field?filter=and(eq(table_id,${id}),eq(field_name,'Labels'))`)).data[0].attributes
      assert.deepEqual([field.field_type, field.reference_table_id], ['references', Number(labels)])
      const held = (await list(`data${id}?sort=id`)).data.map(({ attributes }: Listed) => attributes[field.int_name])
      assert.deepEqual(held, ['-1-2-', '-2-'])
    }
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('into a table that is there, which was only tried, is called a trial in the list of jobs, also where each line was refused', async () => {
    const { page, context, faults } = await scene.open()
    const mosses = await scene.make('table', { table_name: 'Mosses' })
    await scene.make('field', { table_id: Number(mosses), field_name: 'Height', field_type: 'integer' })
    await scene.signIn(page, `/import?table=${mosses}`)
    await choose(page, 'mosses.csv', 'Height\nlow\n')
    await heading(page, 'The first line')
    await button(page, 'Fields').click()
    await button(page, 'Check first').click()
    await heading(page, 'What would happen')
    await page.goto(scene.address('/jobs'))
    await page.getByText('Trial of an import into Mosses', { exact: true }).waitFor()
    assert.equal(await page.getByText('Import into Mosses', { exact: true }).count(), 1)
    assert.equal(await page.locator('.pill.bad').getByText('all lines refused', { exact: true }).count(), 1)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('has nothing serious for axe, in both themes, languages and sizes, and nothing runs over the edge', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, '/import')
    await choose(page, 'trees.csv', 'Name,Height\nFir,12.5\nPine,"tall, very"\n')
    await heading(page, 'The first 2 lines')
    await page.getByLabel('Type of Height').selectOption('decimal')
    await button(page, 'Check first').click()
    await heading(page, 'What would happen')
    const check = page.url()
    const steps = [check, check.replace('step=check', 'step=fields'), check.replace('&step=check', ''), scene.address('/import')]
    for (const [language, colorScheme, width] of [
      ['Русский', 'dark', 390],
      ['English', 'light', 1440],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      await page.goto(scene.address('/profile'))
      await page.getByLabel(language).check()
      await until('the setting', async () => JSON.stringify((await list("setting?filter=eq(key,'web')")).data).includes(language === 'English' ? '"en"' : '"ru"')) // prettier-ignore
      for (const address of steps) {
        await page.goto(address)
        await page.locator('.wizard-body :is(h2, table)').first().waitFor()
        await mustBeAccessible(page, `${address} ${language} ${colorScheme} ${width}`)
        assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, `${address} ${width}`)
      }
    }
    await context.close()
  })
})
