import { setTimeout as sleep } from 'node:timers/promises'

/** @throws where nothing has changed for 90 s; `progress`: what grows meanwhile */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, progress: () => number = () => 0): Promise<void> {
  for (let [tries, last] = [0, progress()]; tries < 4_500; tries++) {
    if (await isSo()) return
    await sleep(20)
    if (progress() > last) [tries, last] = [0, progress()]
  }
  throw new Error(`It never came: ${what}.`)
}
