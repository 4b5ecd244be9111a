import { lazy, Suspense, useEffect, useState } from 'react'
import { act } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import type { Asked } from './asked.ts'

const ApiPanel = lazy(async () => ({ default: (await import('./api-panel.tsx')).ApiPanel }))

/** Opens what a page shows as a request that a program can send. */
export function ApiButton(asked: Asked) {
  const say = useWords()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => act(`api ${asked.record ?? ''}`, { api: () => setOpen(true) }, asked.record === undefined ? 0 : 1), [asked.record])
  return (
    <>
      <button
        type="button"
        className="button square only-wide"
        title={say('apiTitle')}
        aria-label={say('apiTitle')}
        onClick={() => setOpen(true)}
      >
        <Icon name="code" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ApiPanel {...asked} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
