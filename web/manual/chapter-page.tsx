import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { Blocks } from './blocks.tsx'
import { useManual } from './use-manual.ts'
import './manual.css'

/** A chapter of the manual, with the way to the others. */
export function ChapterPage() {
  const say = useWords()
  const { chapter: name } = useParams({ from: '/framed/help/$chapter' })
  const manual = useManual()
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    page.current?.scrollTo(0, 0)
  }, [name])
  const chapters = manual.data?.chapters ?? []
  const at = chapters.findIndex((one) => one.name === name)
  const chapter = chapters[at]
  if (manual.data && !chapter) return <Nowhere />
  return (
    <>
      <Head title={chapter?.title ?? say('help')}>
        <Link className="button" to="/help">
          {say('helpAll')}
        </Link>
      </Head>
      <div className="page" ref={page}>
        {manual.error && <Trouble error={manual.error} again={() => void manual.refetch()} />}
        {manual.isPending && <Skeleton />}
        {manual.data && chapter && (
          <div className="manual">
            <nav aria-label={say('helpAll')}>
              <ol>
                {chapters.map((one) => (
                  <li key={one.name}>
                    <Link to="/help/$chapter" params={{ chapter: one.name }} aria-current={one === chapter ? 'page' : undefined}>
                      {one.title}
                    </Link>
                  </li>
                ))}
              </ol>
            </nav>
            <article>
              <p className="lead">{chapter.lead}</p>
              <Blocks blocks={chapter.blocks} pictures={manual.data.pictures} />
              <div className="manual-foot">
                {chapters[at - 1] && (
                  <Link className="button line" to="/help/$chapter" params={{ chapter: chapters[at - 1]!.name }} rel="prev">
                    <Icon name="chevron-left" />
                    <span className="cut">{chapters[at - 1]!.title}</span>
                  </Link>
                )}
                {chapters[at + 1] && (
                  <Link className="button line" to="/help/$chapter" params={{ chapter: chapters[at + 1]!.name }} rel="next">
                    <span className="cut">{chapters[at + 1]!.title}</span>
                    <Icon name="chevron-right" />
                  </Link>
                )}
              </div>
            </article>
          </div>
        )}
      </div>
    </>
  )
}
