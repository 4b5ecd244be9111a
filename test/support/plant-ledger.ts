import { registerHooks } from 'node:module'

/* node --import: recordLedgers (src/store/ledgers.ts) then has a ledger that writes what it is told into the table `told` (told-ledger.ts). */

const list = new URL('../../src/store/ledgers.ts', import.meta.url).href
const find = 'isShared ? sharedChangeLog(clock) : localChangeLog(clock)'
const replace = `${find}, toldLedger(isMainThread ? 'process' : 'thread')`
const imports = `import { isMainThread } from 'node:worker_threads'
import { toldLedger } from '${new URL('told-ledger.ts', import.meta.url).href}'
`

registerHooks({
  load(address, context, next) {
    const loaded = next(address, context)
    if (address !== list) return loaded
    const source = String(loaded.source)
    if (!source.includes(find)) throw new Error(`src/store/ledgers.ts does not have: ${find}`)
    return { ...loaded, source: imports + source.replace(find, () => replace) }
  },
})
