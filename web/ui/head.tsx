import { useEffect, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { useWords } from '../i18n/words.ts'
import { toggleDrawer, useDrawer } from './drawer.ts'

/** The head of a page; its title is also that of the window. */
export function Head({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const say = useWords()
  const { isOpen } = useDrawer()
  useEffect(() => {
    document.title = title === '' ? say('product') : `${title} · ${say('product')}`
  }, [title, say])
  return (
    <header className="head">
      <h1 className="cut">
        <button type="button" className="row only-phone" onClick={toggleDrawer} aria-expanded={isOpen} title={say('tables')}>
          <span className="cut">{title}</span> <Icon name="chevron-down" />
        </button>
        <span className="only-wide">{title}</span>
      </h1>
      <span className="grow only-wide" />
      {children}
    </header>
  )
}
