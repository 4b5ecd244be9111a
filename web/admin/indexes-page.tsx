import { useQuery } from '@tanstack/react-query'
import { indexes, wishIndex, type Index, type IndexResource } from '../api/indexes.ts'
import { locale } from '../api/preferences.ts'
import { allFields, tables } from '../api/queries.ts'
import { shownDate } from '../fields/plain.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { bytes } from './bytes.ts'
import { OnlyAdministrators } from './only-administrators.tsx'
import { useDoing } from './use-doing.ts'
import './operation.css'

export const IndexesPage = () => (
  <OnlyAdministrators of="index">
    <Indexes />
  </OnlyAdministrators>
)

/** What makes lists fast: how large each index is and how often it was of use; kept or forbidden by wish. */
function Indexes() {
  const say = useWords()
  const doing = useDoing()
  const list = useQuery(indexes)
  const all = list.data?.data ?? []
  const size = all.reduce((sum, { attributes }) => sum + attributes.size, 0)
  return (
    <>
      <Head title={say('indexesTitle')} />
      <div className="admin ledgers">
        {doing.is === 'refused' && <Trouble error={doing.error} />}
        <p className="quiet ledger-lead">{say('indexesLead')}</p>
        {list.error && !list.data ? (
          <Trouble error={list.error} again={() => void list.refetch()} />
        ) : !list.data ? (
          <Skeleton />
        ) : all.length === 0 ? (
          <section className="empty">
            <h2>{say('indexesNone')}</h2>
          </section>
        ) : (
          <>
            <p role="status">{say('indexesSum', { count: all.length, size: bytes(size) })}</p>
            <IndexTable all={all} onWish={(id, wish) => void doing.run(() => wishIndex(id, wish))} />
          </>
        )}
      </div>
    </>
  )
}

const states: Readonly<Record<Index['state'] | 'dropping', readonly [look: string, word: Message]>> = {
  ready: ['good', 'indexReady'],
  waiting: ['warn', 'indexWaiting'],
  failed: ['bad', 'indexFailed'],
  dropping: ['warn', 'indexDropping'],
  none: ['calm', 'indexOff'],
}
const kinds = {
  order: 'indexOrder',
  order_desc: 'indexDown',
  value: 'indexValue',
  text: 'indexText',
  words: 'indexWords',
} as const satisfies Readonly<Record<Index['kind'], Message>>
const system: Readonly<Record<string, Message>> = {
  '': 'indexWhole',
  add_time: 'indexAdded',
  update_time: 'indexUpdated',
  user_id: 'indexOwner',
}

function IndexTable({
  all,
  onWish,
}: {
  readonly all: readonly IndexResource[]
  readonly onWish: (id: string, wish: Index['wish']) => void
}) {
  const say = useWords()
  const known = useQuery(tables).data?.data ?? []
  const fields = useQuery(allFields).data?.data ?? []
  const tableOf = (id: number) => String(known.find((one) => one.id === String(id))?.attributes['table_name'] ?? say('thingTable', { id }))
  const fieldOf = (attribute: string) => {
    const field = fields.find(({ id }) => attribute === `f${id}`)?.attributes['field_name']
    return field === undefined ? (system[attribute] ? say(system[attribute]) : attribute) : String(field)
  }
  const count = new Intl.NumberFormat(locale())
  return (
    <table className="ledger">
      <thead>
        <tr>
          <th scope="col">{say('indexOf')}</th>
          <th scope="col">{say('indexFor')}</th>
          <th scope="col">{say('hookState')}</th>
          <th scope="col" className="end">
            {say('indexUses')}
          </th>
          <th scope="col" className="end">
            {say('indexSize')}
          </th>
          <th scope="col">{say('indexWish')}</th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ id, attributes: one }) => {
          const name = `${fieldOf(one.attribute)}, ${tableOf(one.table_id)}`
          const [look, word] = states[one.wish !== 'forbidden' || one.state === 'none' ? one.state : 'dropping']
          return (
            <tr key={id}>
              <th scope="row">
                {fieldOf(one.attribute)}
                <small>{tableOf(one.table_id)}</small>
              </th>
              <td>{say(kinds[one.kind])}</td>
              <td>
                <span className={`pill ${look}`}>{say(word)}</span>
                {one.failure !== '' && <small>{one.failure}</small>}
              </td>
              <td className="end">
                <span className="ledger-name">{say('indexUses')}</span>
                {count.format(one.uses)}
                <small>{one.last_used === '' ? say('never') : shownDate(one.last_used)}</small>
              </td>
              <td className="end">
                <span className="ledger-name">{say('indexSize')}</span>
                {bytes(one.size)}
              </td>
              <td>
                <Select name={say('indexWishOf', { name })} value={one.wish} onChoose={(wish) => onWish(id, wish as Index['wish'])}>
                  <option value="auto">{say('indexAuto')}</option>
                  <option value="pinned">{say('indexPinned')}</option>
                  <option value="forbidden">{say('indexForbidden')}</option>
                </Select>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
