import { PASSWORD, type Browser } from './browser.ts'

/**
 * A page that is driven by Chromium's own protocol alone. Playwright keeps the bodies of a hundred megabytes of answers in the memory of each page
 * that it drives, so the memory of such a page grows with each request.
 */
export interface BarePage {
  send<T>(method: string, parameters?: object): Promise<T>
  /** What a script tells in the page, awaited. */
  evaluate<T>(script: string): Promise<T>
}

interface Answer {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** A page of a context of its own, in which the administrator has signed in. */
export async function barePage(browser: Browser, address: string): Promise<BarePage> {
  const session = await browser.newBrowserCDPSession()
  const { browserContextId } = await session.send<{ browserContextId: string }>('Target.createBrowserContext')
  const target = { url: 'about:blank', browserContextId, width: 1440, height: 900 }
  const { targetId } = await session.send<{ targetId: string }>('Target.createTarget', target)
  const { sessionId } = await session.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: false })
  const waiting = new Map<number, (answer: Answer) => void>()
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = JSON.parse(message) as Answer
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  let last = 0
  const send = async <T>(method: string, params: object = {}): Promise<T> => {
    const id = ++last
    const answers = new Promise<Answer>((done) => waiting.set(id, done))
    await session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) })
    const { result, error } = await answers
    waiting.delete(id)
    if (error) throw new Error(`${method}: ${error.message}`)
    return result as T
  }
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await send<{ result: { value: T }; exceptionDetails?: { text: string } }>('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(`${exceptionDetails.text}: ${expression}`)
    return result.value
  }
  const page = { send, evaluate }
  const size = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false }
  await send('Emulation.setDeviceMetricsOverride', size)
  await send('Page.navigate', { url: address })
  await shown(page, "document.querySelector('input[autocomplete=username]')")
  for (const [field, text] of [
    ['username', 'admin'],
    ['current-password', PASSWORD],
  ]) {
    // prettier-ignore
    await evaluate(`document.querySelector('input[autocomplete=${field}]').focus()`)
    await send('Input.insertText', { text })
  }
  await evaluate("document.querySelector('input[autocomplete=current-password]').form.requestSubmit()")
  await shown(page, "document.querySelector('.grid-rows .name-link')")
  return page
}

async function shown(page: BarePage, condition: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    // Between two pages there is nothing to ask.
    if (await page.evaluate<boolean>(`Boolean(${condition})`).catch(() => false)) return
    await new Promise((next) => setTimeout(next, 100))
  }
  throw new Error(`It never came: ${condition}`)
}
