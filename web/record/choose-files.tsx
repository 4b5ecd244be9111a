import { useRef } from 'react'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** The button by which files are chosen for a field. */
export function ChooseFiles({ field, onAdd }: { readonly field: Field; onAdd(files: readonly File[]): void }) {
  const say = useWords()
  const input = useRef<HTMLInputElement>(null)
  const label = say('addFiles', { name: field.title })
  const kinds =
    field.extensions.length > 0 ? field.extensions.map((one) => `.${one}`).join() : field.type === 'image' ? 'image/*' : undefined
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple={field.maxFiles !== 1}
        aria-label={label}
        accept={kinds}
        onChange={({ target }) => {
          onAdd([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <button type="button" className="button line small" onClick={() => input.current?.click()}>
        <Icon name="clip" />
        <span className="cut">{label}</span>
      </button>
    </>
  )
}
