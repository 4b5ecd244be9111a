import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button, Cell, Column, Row, Table, TableBody, TableHeader, useDragAndDrop } from 'react-aria-components'
import type { Resource } from '../api/client.ts'
import { tables } from '../api/queries.ts'
import { fieldOf } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { kindOf } from './kinds.ts'
import { moved } from './places.ts'

/** The fields in their order, which is changed by dragging, or by the keyboard at the handle of a field. */
export function FieldList({
  name,
  fields,
  titleField,
  open,
  onOpen,
  onOrder,
}: {
  readonly name: string
  readonly fields: readonly Resource[]
  readonly titleField: number
  readonly open: string | undefined
  readonly onOpen: (id: string) => void
  readonly onOrder: (ids: readonly string[]) => void
}) {
  const say = useWords()
  const tableNames = new Map((useQuery(tables).data?.data ?? []).map(({ id, attributes }) => [id, String(attributes['table_name'])]))
  const ids = fields.map(({ id }) => id)
  // Shown at once; what the service has counts again as soon as it differs from what it was then.
  const [wished, setWished] = useState<{ readonly before: string; readonly ids: readonly string[] }>()
  const order = wished?.before === ids.join() && wished.ids.length === ids.length ? wished.ids : ids
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder({ keys, target }) {
      const next = moved(order, new Set([...keys].map(String)), String(target.key), target.dropPosition)
      setWished({ before: ids.join(), ids: next })
      onOrder(next)
    },
  })
  const shown = order.flatMap((id) => fields.find((one) => one.id === id) ?? [])
  return (
    <>
      <Table
        className="design-list"
        aria-label={say('designerFields', { name })}
        dragAndDropHooks={dragAndDropHooks}
        onRowAction={(key) => onOpen(String(key))}
      >
        <TableHeader>
          <Column className="grab">
            <span className="said">{say('designerOrder')}</span>
          </Column>
          <Column isRowHeader>{say('designerField')}</Column>
          <Column>{say('designerType')}</Column>
          <Column className="rules">{say('designerRules')}</Column>
        </TableHeader>
        <TableBody>
          {shown.map((resource) => {
            const field = fieldOf(resource)
            const kind = kindOf(field.type)
            const target = tableNames.get(String(field.target))
            return (
              <Row key={resource.id} id={resource.id} textValue={field.title} className={resource.id === open ? 'at' : ''}>
                <Cell className="grab">
                  <Button slot="drag" className="grip" aria-label={say('adminMoveOf', { name: field.title })}>
                    <Icon name="grip" size="s" />
                  </Button>
                </Cell>
                <Cell className="what">
                  <span className="row">
                    <Icon name={typeOf(field).icon} />
                    <span className="cut">{field.title}</span>
                    {field.section !== '' && <span className="quiet small cut of-section only-wide">{field.section}</span>}
                    {field.id === titleField && <span className="pill accent">{say('designerTitle')}</span>}
                  </span>
                </Cell>
                <Cell className="quiet">
                  <span className="clamp">
                    {!kind ? field.type : target === undefined ? say(kind.title) : `${say(kind.title)}: ${target}`}
                  </span>
                </Cell>
                <Cell className="quiet rules">
                  {[field.isRequired && say('required'), resource.attributes['unique'] === true && say('designerUnique')]
                    .filter(Boolean)
                    .join(', ')}
                </Cell>
              </Row>
            )
          })}
        </TableBody>
      </Table>
      <p className="quiet small only-wide design-hint">{say('designerLead')}</p>
    </>
  )
}
