import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { foundEverywhere } from '../api/search.ts'
import { soughtWords } from '../fields/marks.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { Found } from './found.tsx'
import './search.css'

/** Milliseconds without a key after which the service is asked. */
const PAUSE = 200
/** Tables with hits from which on further ones are asked for by a click. */
const ENOUGH = 10

/** Words in all tables. They are in the address. */
export function SearchPage() {
  const say = useWords()
  const { q = '' } = useSearch({ from: '/framed/search' })
  const [text, setText] = useTyped(q)
  const words = soughtWords(q)
  const found = useInfiniteQuery({ ...foundEverywhere(q.trim()), enabled: words.length > 0, placeholderData: keepPreviousData })
  const groups = words.length === 0 ? [] : (found.data?.pages.flatMap(({ data }) => data) ?? [])
  const isLooking = words.length > 0 && (text !== q || found.isFetching)
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = found
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isPlaceholderData && groups.length < ENOUGH) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isPlaceholderData, groups.length, fetchNextPage])
  const records = groups.reduce((sum, { total }) => sum + (total ?? 0), 0)
  const isRefused = found.error instanceof ApiError && found.error.status === 400
  return (
    <>
      <Head title={say('searchTitle')} />
      <div className="page search" onKeyDown={walk}>
        <label className="input tall search-box">
          <Icon name="search" />
          <input
            type="search"
            autoFocus
            value={text}
            aria-label={say('searchTitle')}
            placeholder={say('searchHint')}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <p role="status" className="search-sum">
          {isLooking
            ? say('searchRunning')
            : groups.length > 0 && !found.error
              ? say('searchFound', { count: records, tables: groups.length })
              : ''}
        </p>
        {text.trim() === '' ? (
          <p className="quiet">{say('searchLead')}</p>
        ) : q !== '' && words.length === 0 ? (
          <p>{say('searchNoLetters')}</p>
        ) : isRefused ? (
          <Trouble error={found.error} />
        ) : found.error ? (
          <Trouble error={found.error} again={() => void found.refetch()} />
        ) : !found.data ? (
          words.length > 0 && <Skeleton />
        ) : groups.length === 0 && !isLooking && !hasNextPage ? (
          <section className="empty">
            <h2>{say('searchNone')}</h2>
            <p>{say('searchNoneLead')}</p>
          </section>
        ) : (
          <div className={isPlaceholderData ? 'is-old' : undefined} aria-busy={isLooking}>
            {groups.map((group) => (
              <Found key={group.table} {...{ group, words }} text={q.trim()} />
            ))}
            {hasNextPage && !isFetchingNextPage && groups.length >= ENOUGH && (
              <button type="button" className="button line" onClick={() => void fetchNextPage()}>
                {say('searchMoreTables')}
              </button>
            )}
          </div>
        )}
      </div>
    </>
  )
}

/** What is typed stands in the address after a pause; what the address says otherwise, after *back* say, stands in the box. */
function useTyped(q: string): readonly [string, (text: string) => void] {
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  const told = useRef(q)
  useEffect(() => {
    if (q === told.current) return
    told.current = q
    setText(q)
  }, [q])
  useEffect(() => {
    if (text === told.current) return
    const timer = setTimeout(() => {
      told.current = text
      void navigate({ to: '/search', search: { q: text === '' ? undefined : text }, replace: true })
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [text, navigate])
  return [text, setText]
}

/** Arrows lead from the box to the hits and back. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .hit')]
  const at = stops.findIndex((one) => one === document.activeElement)
  const next = stops[at + step]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}
