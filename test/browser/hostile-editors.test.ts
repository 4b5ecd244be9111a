import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Text that most programs stumble over, typed, chosen and attached in every editor: it is stored as it is, or refused in words, and never lost. */

/** Each begins with a word by which it is found. */
const ODD = [
  'hebrew \u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd (abc 123)',
  'arabic \u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645\u061f 12.5%',
  'turned \u202egnp.exe\u202c tail',
  'isolated \u2067inside\u2069 \u2066left\u2069 \u200fend',
  'controls a\u0007b\u001bc\u007fd\u0085e',
  `marks e${'\u0301'.repeat(25)} a\u0308\u0323o\u0302\u0301`,
  'emoji \u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466} \u{1f3f3}\ufe0f\u200d\u{1f308} \u{1f469}\u{1f3fd}\u200d\u{1f4bb} \u{1f1f5}\u{1f1f9}',
  'unseen a\u200bb\ufeffc\u00add\u{e0041}',
  `long ${'w'.repeat(250)}`,
] as const
const word = (text: string) => text.split(' ', 1)[0]!

describe('odd text in editors', () => {
  let scene: PagesScene
  let odd: string
  let window: Window
  let page: Page
  const f: Record<string, string> = {}
  const others = new Map<string, string>()
  const users = new Map<string, string>()

  before(async () => {
    scene = await pagesScene()
    const names = await scene.make('table', { table_name: 'Names' })
    const name = `f${await scene.make('field', { table_id: Number(names), field_name: 'Name', field_type: 'text' })}`
    for (const text of ODD) others.set(text, await scene.make(`data${names}`, { [name]: text }))
    const group = Number(await scene.make('group', { group_name: 'People' }))
    for (const [i, text] of ODD.entries()) users.set(text, await scene.make('user', { login: `odd${i}`, fio: text, group_id: group }))
    odd = await scene.make('table', { table_name: 'Odd' })
    const options = ODD.map((label) => ({ label }))
    for (const [field_name, field_type, more] of [
      ['Text', 'text', {}],
      ['Long', 'longtext', {}],
      ['Kind', 'list', { options }],
      ['Kinds', 'multilist', { options }],
      ['Other', 'reference', { reference_table_id: Number(names) }],
      ['Others', 'references', { reference_table_id: Number(names) }],
      ['Who', 'user', {}],
      ['Count', 'integer', {}],
      ['Price', 'decimal', { scale: 2 }],
      ['Day', 'date', {}],
      ['Time', 'datetime', {}],
      ['Mail', 'email', {}],
      ['Phone', 'phone', {}],
      ['Site', 'url', {}],
      ['Files', 'file', {}],
    ] as const)
      f[field_name] = `f${await scene.make('field', { table_id: Number(odd), field_name, field_type, ...more })}`
    await scene.make(`data${odd}`, { [f['Text']!]: 'plain' })
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(15_000)
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => assert.fail(`a dialog: ${dialog.message()}`)))
    await scene.signIn(page, `/t/${odd}/1`)
  })
  after(async () => {
    await scene?.close()
  })

  const held = async (name: string) =>
    (await scene.server.call(scene.token, 'GET', `data${odd}/1`)).body.data.attributes[f[name]!] as string
  const holds = (name: string, expected: string) =>
    until(`${name} to be ${JSON.stringify(expected)}`, async () => (await held(name)) === expected)
  /** Once nothing is unsaved, which the browser would ask about. */
  const go = async (path: string) => {
    await until('all is saved', () => page.evaluate<boolean>("!Object.keys(localStorage).some((key) => key.startsWith('kartoteka.kept'))"))
    await page.goto(scene.address(path))
  }
  // A link of the value lies over the button.
  const open = (name: string) => page.getByRole('button', { name: `Change ${name}`, exact: true }).press('Enter')
  const mustBeCalm = async () => {
    const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
    assert.deepEqual([wide, window.faults], [false, []])
  }

  it('is typed in lines and in long texts, and is there again when they are opened again', async () => {
    await go(`/t/${odd}/1`)
    for (const text of ODD) {
      await open('Text')
      const line = page.getByRole('textbox', { name: 'Text', exact: true })
      await line.press('Control+a')
      await page.keyboard.insertText(text)
      await page.keyboard.press('Enter')
      await holds('Text', text)
      await open('Text')
      assert.equal(await line.inputValue(), text)
      await page.keyboard.press('Escape')
      await open('Long')
      const long = page.getByRole('textbox', { name: 'Long', exact: true })
      await long.press('Control+a')
      await page.keyboard.insertText(`${text}\n${text}`)
      await page.keyboard.press('Control+Enter')
      await holds('Long', `${text}\n${text}`)
    }
    await mustBeCalm()
  })

  it('is typed in cells, copied and pasted', async () => {
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await go(`/t/${odd}`)
    const cell = page.locator("[data-row='0'] [data-col='0']")
    // A title as long as its cell is a link in all of it.
    const come = async () => {
      await page.locator("[data-row='0'] [data-col='1']").click()
      await page.keyboard.press('ArrowLeft')
    }
    for (const text of ODD) {
      await come()
      await page.keyboard.press('F2')
      await cell.getByRole('textbox').press('Control+a')
      await page.keyboard.insertText(text)
      await page.keyboard.press('Enter')
      await holds('Text', text)
      await come()
      await page.keyboard.press('Control+c')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Control+v')
      await holds('Long', text)
    }
    await mustBeCalm()
  })

  it('is chosen in lists, among records and people', async () => {
    await go(`/t/${odd}/1`)
    const choose = async (name: string, text: string) => {
      await open(name)
      // What is typed before the box has the focus goes nowhere.
      await page.getByRole('dialog').locator('input:focus').waitFor()
      await page.keyboard.insertText(word(text))
      const typed = page.getByRole('dialog').locator('input')
      // What is chosen already stands alone before the others have come.
      const option = page.getByRole('option')
      await until(
        'its choice alone',
        async () =>
          (await typed.inputValue()) === word(text) &&
          (await option.allTextContents()).map((one) => one.trim().startsWith(word(text))).join() === 'true',
      )
      await option.click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    for (const text of ODD) {
      await choose('Kind', text)
      await holds('Kind', text)
      await choose('Other', text)
      await holds('Other', others.get(text)!)
      await choose('Who', text)
      await holds('Who', users.get(text)!)
    }
    // In the grid, Tab takes what the words find, besides what is chosen. By a link: what is not answered yet is not asked about.
    await page.getByRole('navigation').getByRole('link', { name: /^Odd/ }).first().click()
    const chosen: string[] = []
    for (const text of [ODD[6], ODD[0]]) {
      chosen.push(text)
      await page.locator("[data-row='0'] [data-col='3']").click()
      await page.keyboard.type(word(text))
      await until('one of the words', async () => (await page.getByRole('option').count()) === 1)
      await page.keyboard.press('Tab')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await until(`${chosen.length} kinds`, async () => {
        const now = await held('Kinds')
        return ODD.every((one) => now.includes(one) === chosen.includes(one))
      })
    }
    await page.goBack()
    await open('Kinds')
    await page.getByRole('dialog').waitFor()
    const left = page.getByRole('option', { selected: false })
    await left.first().waitFor()
    while ((await left.count()) > 0) await left.first().click()
    await page.getByRole('button', { name: 'Done' }).click()
    await until('all kinds', async () => ODD.length === (await held('Kinds')).split(/\r?\n|, ?(?=\w+ )/).filter(Boolean).length) // prettier-ignore
    await mustBeCalm()
  })

  it('that does not fit is told in words beside, stays where it was typed, and is left by Escape', async () => {
    await go(`/t/${odd}/1`)
    for (const name of ['Count', 'Price', 'Day', 'Time'])
      for (const text of ODD.slice(0, 8)) {
        await open(name)
        const line = page.getByRole('textbox', { name, exact: true })
        await line.press('Control+a')
        await page.keyboard.insertText(text)
        await page.keyboard.press('Enter')
        await page.locator('.editor [role=alert]').waitFor()
        assert.equal(await line.inputValue(), text)
        await line.press('Escape')
        await line.waitFor({ state: 'detached' })
      }
    // What the service alone knows to be wrong is refused beside the field, and put back.
    for (const name of ['Mail', 'Phone', 'Site'])
      for (const text of ODD.slice(0, 8)) {
        const before = await held(name)
        await open(name)
        const line = page.getByRole('textbox', { name, exact: true })
        await line.press('Control+a')
        await page.keyboard.insertText(text)
        await page.keyboard.press('Enter')
        const back = page.getByRole('button', { name: 'Put back' })
        await until(
          `an answer to ${name}`,
          async () => (await back.isVisible()) || (await line.isVisible()) || (await held(name)) !== before,
        )
        if (await back.isVisible()) await back.click()
        else if (await line.isVisible()) await line.press('Escape')
        assert.ok([before, text].includes(await held(name)))
      }
    await mustBeCalm()
  })

  it('names files, which are shown, fetched and taken away by these names', async () => {
    await go(`/t/${odd}/1`)
    await page.getByRole('button', { name: 'Add to Files' }).waitFor()
    const endings = ['txt', 'pdf', 'png']
    const names = [...ODD.slice(0, 4), ...ODD.slice(5, 8), 'n'.repeat(251), '\u0446'.repeat(123)].map(
      (text, i) => `${text}.${endings[i % 3]}`,
    )
    const input = page.locator('input[type=file]').first()
    const list = async () => ((await held('Files')) === '' ? [] : (await held('Files')).split('\r\n'))
    for (const name of names) {
      const count = (await list()).length
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Add to Files' }).click()
      await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('content') })
      const refused = page.locator('.files [role=alert], .files .bad')
      // What was refused before may still be told.
      const isGoing = async () => (await page.locator('.files [role=progressbar]').count()) > 0
      await until(
        `an answer to ${JSON.stringify(name)}`,
        async () => (await list()).length > count || ((await refused.first().isVisible()) && !(await isGoing())),
      )
    }
    assert.ok(await input.count())
    const kept = await list()
    // Nothing but what cannot be seen may have gone from a name.
    for (const name of kept) assert.ok(names.includes(name), JSON.stringify(name))
    assert.ok(kept.length >= 8, JSON.stringify(kept))
    for (const name of kept) {
      const link = page
        .locator('.filelist a.ref')
        .filter({ hasText: word(name).slice(0, 40) })
        .first()
      const status = await page.evaluate<number>(`fetch(${JSON.stringify(await link.getAttribute('href'))}).then(({ status }) => status)`)
      assert.equal(status, 200, JSON.stringify(name))
    }
    await mustBeCalm()
    for (let left = kept.length; left > 0; left--) {
      await page
        .getByRole('button', { name: /^Remove / })
        .first()
        .click()
      await until('one file less', async () => (await list()).length === left - 1)
    }
    await mustBeCalm()
  })
})
