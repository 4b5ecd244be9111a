import type { ReactNode } from 'react'
import { shownKeys } from '../commands/commands.ts'
import type { Block, Manual, Span } from './chapter.ts'

/** The text and the pictures of a chapter. A picture that the build did not have is left out. */
export const Blocks = ({ blocks, pictures }: { readonly blocks: readonly Block[]; readonly pictures: Manual['pictures'] }) =>
  blocks.map((block, i) => <Shown key={i} {...{ block, pictures }} />)

function Shown({ block, pictures }: { readonly block: Block; readonly pictures: Manual['pictures'] }) {
  if ('heading' in block) return <h2>{block.heading}</h2>
  if ('text' in block) return <p>{line(block.text)}</p>
  if ('list' in block) {
    const items = block.list.map((item, i) => <li key={i}>{line(item)}</li>)
    return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
  }
  if ('head' in block)
    return (
      <table className="plain-table">
        <thead>
          <tr>{cells(block.head, 'th')}</tr>
        </thead>
        <tbody>
          {block.rows.map((row, i) => (
            <tr key={i}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    )
  const picture = pictures[block.picture]
  if (!picture) return null
  return (
    <a className="picture" href={picture.src} target="_blank" rel="noopener">
      <img src={picture.src} width={picture.width} height={picture.height} alt={block.alt} loading="lazy" />
    </a>
  )
}

const cells = (row: readonly (readonly Span[])[], Cell: 'th' | 'td') => row.map((spans, i) => <Cell key={i}>{line(spans)}</Cell>)

const line = (spans: readonly Span[]): ReactNode =>
  spans.map((span, i) => {
    if (typeof span === 'string') return span
    if ('strong' in span) return <b key={i}>{span.strong}</b>
    if ('em' in span) return <em key={i}>{span.em}</em>
    return KEYS.test(span.code) ? (
      <kbd key={i} className="kbd">
        {shownKeys(span.code.replace('Ctrl', 'Mod'))}
      </kbd>
    ) : (
      <code key={i}>{span.code}</code>
    )
  })

/** Such as `Ctrl+K`, `F2`, `?` and `Enter`. */
const KEYS = /^(?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z?/]|F2|Enter|Tab|Escape|Delete|Space|Backspace|ArrowDown|Ctrl|Shift|Alt)$/
