import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { forgetSamples, removeSamples, samples } from '../api/samples.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Trouble } from '../ui/trouble.tsx'
import './first-run.css'

/** Says that there are samples of a template, and takes them away with one click. */
export function SampleBar() {
  const say = useWords()
  const { data } = useQuery(samples)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  if (!data) return null
  const act = (work: Promise<void>) => {
    setBusy(true)
    void work.then(() => setError(undefined), setError).finally(() => setBusy(false))
  }
  return (
    <div className="sample-bar" role="status">
      <Icon name="good" />
      <span className="grow">{say('samplesThere')}</span>
      {error !== undefined && <Trouble error={error} />}
      <button type="button" className="button line small" disabled={isBusy} onClick={() => act(removeSamples(data))}>
        {say(isBusy ? 'samplesRemoving' : 'samplesRemove')}
      </button>
      <button type="button" className="button small" disabled={isBusy} onClick={() => act(forgetSamples(data.id))}>
        {say('samplesKeep')}
      </button>
    </div>
  )
}
