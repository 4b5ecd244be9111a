import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium, ensureWeb } from '../../scripts/setup.mjs'
import { chaptersOf } from '../../scripts/manual.ts'
import { messages } from '../../web/i18n/messages.ts'
import { password } from '../browser/support/pages-scene.ts'
import { startChromium, type Chromium, type Page } from '../support/chromium.ts'
import { scratchProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'
import { installation } from './installation.ts'
import { odd } from './odd.ts'
import { rare } from './rare.ts'
import { barred, seldom } from './seldom.ts'
import { shots, type Shot } from './states.ts'

/*
 * npm run screenshots -- --out <dir> [--only <parts of names>] [--series <part of its name>] [--every]: a picture of each page and
 * of its states, with demonstration data; light and dark, English and Russian, 1440 and 390 pixels wide. Without --every each of
 * these is in two of the four series; `--series 390-dark` takes all of that name. `sheet-….png` show many at once. Ends with 1 when
 * a page has a fault, or is wider than the window.
 *
 * npm run manual: the pictures of the manual, into docs/manual, and the pages built with them.
 */

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    only: { type: 'string', default: '' },
    series: { type: 'string', default: '' },
    every: { type: 'boolean', default: false },
    manual: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (!values.out && !values.manual) {
  console.error(
    'npm run screenshots -- --out <dir> [--only <parts of names>] [--series <part of 1440-light-en, 390-dark-ru, …>] [--every]\n--out names the directory of the pictures.',
  )
  process.exit(values.help ? 0 : 2)
}
const isOfManual = values.manual
const out = resolve(values.out ?? 'docs/manual')
mkdirSync(out, { recursive: true })
ensureWeb({ development: true })
process.env['KARTOTEKA_TEST_CHROMIUM'] = ensureChromium()

interface Series {
  readonly width: 1440 | 390
  readonly theme: 'light' | 'dark'
  readonly language: 'en' | 'ru'
}
const every: readonly Series[] = ([1440, 390] as const).flatMap((width) =>
  (['light', 'dark'] as const).flatMap((theme) => (['en', 'ru'] as const).map((language) => ({ width, theme, language }))),
)
/** Light in English and dark in Russian when wide; the other way round when narrow. */
const series = values.series
  ? every.filter(({ width, theme, language }) => `${width}-${theme}-${language}`.includes(values.series))
  : values.every
    ? every
    : isOfManual
      ? every.filter(({ width, theme }) => width === 1440 && theme === 'light')
      : every.filter(({ width, theme, language }) => ((theme === 'light') === (language === 'en')) === (width === 1440))

/** The pictures that a language of the manual names, or all. */
const named = new Map(
  await Promise.all(
    (['en', 'ru'] as const).map(async (language) => {
      const blocks = isOfManual ? (await chaptersOf(language)).flatMap((chapter) => chapter.blocks) : []
      return [language, new Set(blocks.flatMap((block) => ('picture' in block ? [block.picture] : [])))] as const
    }),
  ),
)
/** `--only` has one part of a name, or several with commas between. */
const isNamed = (name: string) => values.only.split(',').some((part) => name.includes(part))
const isWanted = ({ name, only }: Shot, { width, language }: Series) =>
  isNamed(name) && (!only || (only === 'narrow') === width < 640) && (!isOfManual || named.get(language)!.has(name))

const problems: string[] = []
const complain = (what: string, error: unknown) => {
  problems.push(`${what}: ${String(error).split('\n')[0]}`)
  console.error(problems.at(-1))
}

async function photograph(chromium: Chromium, url: string, all: readonly Shot[], one: Series, login = 'admin') {
  const { width, theme, language } = one
  const name = `${width}-${theme}-${language}`
  const { page, context, faults } = await chromium.open({
    // What is shown in a column of text is taken of a smaller window.
    width: isOfManual ? 1240 : width,
    height: isOfManual ? 720 : width === 390 ? 844 : 900,
    locale: language === 'en' ? 'en-GB' : 'ru-RU',
    touch: width === 390,
  })
  page.setDefaultTimeout(15_000)
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  let told = 0
  const word = (message: keyof typeof messages) => messages[message][language === 'en' ? 0 : 1]
  if (login !== '') await signIn(page, url, login)
  for (const shot of all) {
    if (!isWanted(shot, one)) continue
    const what = `${shot.name} ${name}`
    try {
      // Chromium sends no keys and no clicks to a page that comes while a range of cells is chosen.
      await page.goto('about:blank')
      await shot.prepare?.(page)
      await page.goto(url + shot.path)
      await page.locator(shot.ready).first().waitFor()
      await shot.act?.(page, word)
      await settled(page)
    } catch (error) {
      complain(what, error)
    }
    const path = isOfManual ? join(out, language, 'pictures', `${shot.name}.png`) : join(out, `${shot.name}.${name}.png`)
    await page.screenshot({ path })
    if (!(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'))) complain(what, 'too wide')
    for (const fault of faults.slice(told)) complain(what, fault)
    told = faults.length
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    await shot.after?.(page, word).catch((error: unknown) => complain(what, error))
    // What the picture has left unsaved would stand on the next ones.
    await page.evaluate(
      "Object.keys(localStorage).filter((key) => key.startsWith('kartoteka.kept')).forEach((key) => localStorage.removeItem(key))",
    )
  }
  await context.close()
}

async function signIn(page: Page, url: string, login: string): Promise<void> {
  await page.goto(`${url}/sign-in?next=/profile`)
  await page.locator('input[autocomplete=username]').fill(login)
  await page.locator('input[autocomplete=current-password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('.app').waitFor()
}

/** No request for a moment, and whatever skeletons there were have gone; not for what is held. */
const settled = (page: Page) =>
  page.evaluate<void>(`new Promise((done) => {
    let last = performance.now(), count = performance.getEntriesByType('resource').length
    const began = last
    const look = () => {
      const now = performance.now(), seen = performance.getEntriesByType('resource').length
      if (seen !== count) [last, count] = [now, seen]
      const isBusy = document.querySelector('.skeleton') && now - began < 2000
      if ((now - last > 400 && !isBusy) || now - began > 5000) done()
      else setTimeout(look, 50)
    }
    look()
  })`)

/** Many pictures in one, by the name of the series. */
async function sheets(chromium: Chromium): Promise<void> {
  const { page, context } = await chromium.open({ width: 1800, height: 1200 })
  for (const { width, theme, language } of series) {
    const name = `${width}-${theme}-${language}`
    const pictures = readdirSync(out).filter((file) => file.endsWith(`.${name}.png`) && isNamed(file))
    const [columns, rows] = width === 390 ? [6, 2] : [3, 3]
    for (let from = 0, sheet = 1; from < pictures.length; from += columns * rows, sheet++) {
      const figures = pictures
        .slice(from, from + columns * rows)
        .map(
          (file) =>
            `<figure><figcaption>${file}</figcaption><img src="data:image/png;base64,${readFileSync(join(out, file)).toString('base64')}"></figure>`,
        )
      await page.setContent(
        `<style>body{margin:8px;display:grid;grid-template-columns:repeat(${columns},1fr);gap:8px;font:12px sans-serif;background:#888}figure{margin:0}img{width:100%;display:block}</style>${figures.join('')}`,
      )
      await page.screenshot({ path: join(out, `sheet-${name}-${sheet}.png`), fullPage: true })
    }
  }
  await context.close()
}

/** Where there is nothing yet. */
const nothing: readonly Shot[] = [
  { name: 'first-run', path: '/', ready: '.make-table' },
  { name: 'jobs-none', path: '/jobs', ready: '.empty' },
  { name: 'changes-none', path: '/changes', ready: '.empty' },
  { name: 'trash-empty', path: '/trash', ready: '.empty' },
  { name: 'search-no-tables', path: '/search?q=an', ready: '.app' },
  { name: 'admin-tables-none', path: '/admin/tables', ready: '.app' },
  { name: 'admin-webhooks-none', path: '/admin/webhooks', ready: '.empty' },
  { name: 'admin-rights-none', path: '/admin/rights', ready: '.app' },
]

const chromium = await startChromium()
const bare = scratchProgram({ KARTOTEKA_PAGES: 'yes' })
const strange = scratchProgram({ KARTOTEKA_PAGES: 'yes' })
const full = scratchProgram({ KARTOTEKA_PAGES: 'yes' })
try {
  await full.begin()
  await full.ok('demo', '--records', '300')
  const server = await started(full)
  const empty = await started(bare)
  const long = isOfManual ? undefined : await started(strange)
  const ofLong = long && (await odd(strange, long))
  const { ids, code } = await installation(chromium, full, server)
  if (!isOfManual) writeFileSync(join(out, 'ids.json'), JSON.stringify(ids))
  for (const one of series) {
    await photograph(chromium, server.url, outside(code), one, '')
    await photograph(chromium, empty.url, nothing, one)
    await photograph(chromium, server.url, [...shots(ids), ...rare(ids), ...seldom(ids)], one)
    await photograph(chromium, server.url, barred(ids), one, 'anna')
    if (long && ofLong) await photograph(chromium, long.url, ofLong, one)
  }
  if (!isOfManual) await sheets(chromium)
} finally {
  await chromium.close()
  await full.remove()
  await bare.remove()
  await strange.remove()
}
console.log(
  `${readdirSync(out, { recursive: true }).filter((file) => String(file).endsWith('.png')).length} pictures in ${out}, ${problems.length} problems`,
)
if (isOfManual) await import('../../scripts/build-web.ts')
process.exitCode = problems.length > 0 ? 1 : 0

/** Before somebody has signed in. */
function outside(code: string): readonly Shot[] {
  return [
    { name: 'sign-in', path: '/sign-in', ready: 'form' },
    {
      name: 'sign-in-wrong',
      path: '/sign-in',
      ready: 'form',
      async act(page) {
        await page.locator('input[autocomplete=username]').fill('nobody')
        await page.locator('input[autocomplete=current-password]').fill('nothing')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
      },
    },
    { name: 'sign-in-ended', path: '/sign-in?ended=true', ready: 'form' },
    { name: 'invitation', path: `/invite/${code}`, ready: 'form' },
    {
      name: 'invitation-unknown',
      path: '/invite/0123456789',
      ready: 'form',
      async act(page) {
        await page.locator('input[type=password]').first().fill('long enough by far')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
      },
    },
  ]
}

/** With an administrator who has a password, and its pages, which are built beside the first start. */
async function started(program: ScratchProgram): Promise<Server> {
  const server = await program.serve()
  await program.ok('user', 'passwd', 'admin', '--password', password)
  for (let attempt = 0; attempt < 300; attempt++) {
    const page = await fetch(`${server.url}/sign-in`, { headers: { Accept: 'text/html' } })
    if ((await page.text()).includes('/assets/')) return server
    await new Promise((next) => setTimeout(next, 200))
  }
  throw new Error('The pages were not built.')
}
