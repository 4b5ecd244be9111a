import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fieldsOf } from '../api/queries.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { offerFile } from './offered.ts'
import { headerOf, isFor, LOOKED_AT } from './target-of.ts'
import { nameOf, useTargets } from './targets.ts'
import './import.css'

interface Goal {
  /** Undefined: a new one. */
  readonly table: number | undefined
  /** The table is the open one: a file whose columns it has not becomes a new one. */
  readonly isOpen: boolean
}

/** A file that is dropped on the first page, on the list of tables, on a table or on the page of imports leads to the import. */
export function DropAnywhere() {
  const say = useWords()
  const navigate = useNavigate()
  const { mayMake, into, all } = useTargets()
  const client = useQueryClient()
  const [over, setOver] = useState<Goal>()
  useEffect(() => {
    const goal = (event: DragEvent): Goal | undefined => {
      if (!event.dataTransfer?.types.includes('Files')) return undefined
      const target = event.target instanceof Element ? event.target : undefined
      const named = target?.closest('.side a')?.getAttribute('href')
      const link = named ?? (target?.closest('.side') ? '/' : location.pathname)
      const table = /^\/t\/(\d+)$/.exec(link)?.[1]
      const asked = link === '/import' ? new URLSearchParams(location.search) : undefined
      if (table === undefined && link !== '/' && !(asked && !asked.has('job'))) return undefined
      const id = table ?? asked?.get('table') ?? undefined
      // On an open table the file may be for another: what is dropped on a name is for that.
      const isOpen = table !== undefined && (named ?? undefined) === undefined && mayMake
      if (id !== undefined && into.some((one) => one.id === id)) return { table: Number(id), isOpen }
      return mayMake ? { table: undefined, isOpen: false } : undefined
    }
    const isForTable = async (file: File, table: number): Promise<boolean> => {
      const [text, fields] = await Promise.all([file.slice(0, LOOKED_AT).text(), client.ensureQueryData(fieldsOf(table))])
      const names = fields.data.map(({ attributes }) => String(attributes['field_name']))
      return isFor({ name: file.name, header: headerOf(text) }, nameOf(all, table), names)
    }
    const move = (event: DragEvent) => {
      if (event.defaultPrevented) return setOver(undefined)
      const found = goal(event)
      setOver((before) => (before && found && before.table === found.table && before.isOpen === found.isOpen ? before : found))
      if (found) event.preventDefault()
      else if (event.dataTransfer?.types.includes('Files')) {
        // Nothing takes it here; the browser would leave the pages and open it.
        event.preventDefault()
        event.dataTransfer.dropEffect = 'none'
      }
    }
    const drop = (event: DragEvent) => {
      setOver(undefined)
      const found = event.defaultPrevented ? undefined : goal(event)
      const [file] = event.dataTransfer?.files ?? []
      if (!found || !file) return
      event.preventDefault()
      const go = (table: number | undefined) => {
        offerFile(file)
        void navigate({ to: '/import', search: table === undefined ? {} : { table } })
      }
      const { table } = found
      if (table === undefined || !found.isOpen) return go(table)
      void isForTable(file, table).then((is) => go(is ? table : undefined), () => go(table)) // prettier-ignore
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(undefined)
    const listeners = [['dragenter', move], ['dragover', move], ['dragleave', leave], ['drop', drop]] as const // prettier-ignore
    for (const [name, listener] of listeners) window.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener)
    }
  }, [mayMake, into, all, client])
  if (!over) return null
  return (
    <div className="drop-over">
      <p role="status">
        <Icon name="upload" size="l" />
        {over.table === undefined
          ? say('importDrop')
          : say(over.isOpen ? 'importDropOpen' : 'importDropInto', { name: nameOf(all, over.table) })}
      </p>
    </div>
  )
}
