/** What Trusted Types ask for before a script is loaded; not all browsers have it. */
interface Policies {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): string }
}

/** Has the browser keep the pages for when the service cannot be reached (service-worker.ts). Over plain http browsers have no service workers. */
export function keepPages(): void {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (!workers) return
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  const policy = trustedTypes?.createPolicy('kartoteka-worker', { createScriptURL: () => '/service-worker.js' })
  const start = () => {
    const address = policy?.createScriptURL('') ?? '/service-worker.js'
    // Without it everything works while there is a connection.
    workers.register(address, { updateViaCache: 'none' }).catch(() => undefined)
  }
  // What the person waits for comes first.
  setTimeout(start, PAUSE)
}
const PAUSE = 2000
