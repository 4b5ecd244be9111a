import { setTimeout as sleep } from 'node:timers/promises'

/** A question that fails (a record that is not there yet) is asked again. @throws where nothing has changed for 90 s; `progress`: what grows meanwhile */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, progress: () => number = () => 0): Promise<void> {
  let failure: unknown
  for (let [tries, last] = [0, progress()]; tries < 4_500; tries++) {
    try {
      if (await isSo()) return
      failure = undefined
    } catch (error) {
      failure = error
    }
    await sleep(20)
    if (progress() > last) [tries, last] = [0, progress()]
  }
  throw new Error(`It never came: ${what}.`, { cause: failure })
}
