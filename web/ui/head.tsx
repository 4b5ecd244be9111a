import { useEffect, type ReactNode } from 'react'
import { officeName } from '../api/office.ts'
import { Icon } from './icon.tsx'
import { useWords } from '../i18n/words.ts'
import { toggleDrawer, useDrawer } from './drawer.ts'

/** The head of a page; its title is also that of the window. `beside`: what stands next to the title. */
export function Head({ title, beside, children }: { readonly title: string; readonly beside?: ReactNode; readonly children?: ReactNode }) {
  const say = useWords()
  const { isOpen } = useDrawer()
  useEffect(() => {
    const product = officeName ?? say('product')
    document.title = title === '' ? product : `${title} · ${product}`
  }, [title, say])
  return (
    <header className="head">
      <h1 className="cut">
        <button type="button" className="row only-phone" onClick={toggleDrawer} aria-expanded={isOpen} title={say('tables')}>
          <span className="cut">{title}</span> <Icon name="chevron-down" />
        </button>
        <span className="only-wide">{title}</span>
      </h1>
      {beside}
      <span className="grow only-wide" />
      {children}
    </header>
  )
}
