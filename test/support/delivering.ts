import { setTimeout } from 'node:timers/promises'
import { deliverWebhooks, type Deliverer } from '../../src/deliveries/deliver.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { rulesOf } from '../../src/webhooks/address.ts'

export interface Logged {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface Delivering extends Deliverer {
  readonly logged: Logged[]
  /** Gives it time for several rounds, in which nothing is expected. */
  pause(): Promise<void>
  /** Waits for it, and has the deliverer look again and again meanwhile. @throws an Error after a long time */
  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>
}

/** Delivers the webhooks of a store, in this process; `settings`: default those of the store; `resolve`: default as the system does. */
export function deliver(
  store: Store,
  settings: Parameters<typeof rulesOf>[0] = store.settings,
  resolve?: Parameters<typeof deliverWebhooks>[0]['resolve'],
): Delivering {
  const logged: Logged[] = []
  const level = (name: Logged['level']) => (details: object, message: string) =>
    void logged.push({ level: name, message, details: details as Logged['details'] })
  const deliverer = deliverWebhooks({
    store,
    rules: rulesOf(settings),
    log: { info: level('info'), warn: level('warn'), error: level('error') },
    ...(resolve && { resolve }),
  })
  return {
    logged,
    committed: () => deliverer.committed(),
    wake: () => deliverer.wake(),
    load: () => deliverer.load(),
    close: () => deliverer.close(),
    async pause() {
      for (let i = 0; i < 10; i++) {
        deliverer.wake()
        await setTimeout(50)
      }
    },
    async until(what, isSo) {
      for (let i = 0; i < 1_500; i++) {
        if (await isSo()) return
        deliverer.wake()
        await setTimeout(20)
      }
      throw new Error(`It never came: ${what}. Logged: ${JSON.stringify(logged)}`)
    },
  }
}
