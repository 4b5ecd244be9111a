import { useEffect, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { offerFile } from './offered.ts'
import { nameOf, useTargets } from './targets.ts'
import './import.css'

/** A file that is dropped on the first page, on the list of tables, on a table or on the page of imports leads to the import. */
export function DropAnywhere() {
  const say = useWords()
  const navigate = useNavigate()
  const { mayMake, into, all } = useTargets()
  const [over, setOver] = useState<{ readonly table: number | undefined }>()
  useEffect(() => {
    const goal = (event: DragEvent): { readonly table: number | undefined } | undefined => {
      if (!event.dataTransfer?.types.includes('Files')) return undefined
      const target = event.target instanceof Element ? event.target : undefined
      const link = target?.closest('.side a')?.getAttribute('href') ?? (target?.closest('.side') ? '/' : location.pathname)
      const table = /^\/t\/(\d+)$/.exec(link)?.[1]
      const asked = link === '/import' ? new URLSearchParams(location.search) : undefined
      if (table === undefined && link !== '/' && !(asked && !asked.has('job'))) return undefined
      const id = table ?? asked?.get('table') ?? undefined
      if (id !== undefined && into.some((one) => one.id === id)) return { table: Number(id) }
      return mayMake ? { table: undefined } : undefined
    }
    const move = (event: DragEvent) => {
      if (event.defaultPrevented) return setOver(undefined)
      const found = goal(event)
      setOver((before) => (before && found && before.table === found.table ? before : found))
      if (found) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      setOver(undefined)
      const found = event.defaultPrevented ? undefined : goal(event)
      const [file] = event.dataTransfer?.files ?? []
      if (!found || !file) return
      event.preventDefault()
      offerFile(file)
      void navigate({ to: '/import', search: found.table === undefined ? {} : { table: found.table } })
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(undefined)
    const listeners = [['dragenter', move], ['dragover', move], ['dragleave', leave], ['drop', drop]] as const // prettier-ignore
    for (const [name, listener] of listeners) window.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener)
    }
  }, [mayMake, into])
  if (!over) return null
  return (
    <div className="drop-over">
      <p role="status">
        <Icon name="upload" size="l" />
        {over.table === undefined ? say('importDrop') : say('importDropInto', { name: nameOf(all, over.table) })}
      </p>
    </div>
  )
}
