import { limits } from '../limits.ts'
import type { FieldSettings, FieldType } from './field-type.ts'
import { foldedLabelOf, labelOf, labelsSchema, optionId } from './forms/options.ts'

/** Stored as the ids of the options in the order sent: '-3-7-'. Compared by the labels shown. */
export const multilist: FieldType = {
  name: 'multilist',
  kind: 'set',
  widget: 'choices',
  says: 'Several options of the field: their labels, separated by CR LF.',
  column: { sqlite: 'TEXT', postgres: 'text' },
  // 2 code units for CR LF.
  maxUnits: limits.listMembers.most * (2 * limits.optionLabel.most + 2),
  settings: ['options'],
  empty: '',
  hasEmpty: true,
  schema: (settings) => ({
    shown: { type: 'string' },
    sent: { anyOf: [{ type: 'array', items: labelsSchema(settings, false), maxItems: limits.listMembers.most }, { type: 'string' }] },
  }),
  parse: (text, settings) => read(text, settings, false),
  literal: (text, settings) => read(text, settings, true),
  format: (stored, settings) => show(stored as string, (id) => labelOf(settings, id)),
  // The labels are folded once for all records. Line breaks between them combine with no character, so the result is the same.
  key: (stored, settings) => show(stored as string, (id) => foldedLabelOf(settings, id)),
  member: (label, settings) => `-${optionId(settings, label, true)}-`,
  exampleSettings: {
    options: [
      { id: 3, label: 'Cash', removed: false },
      { id: 7, label: 'Card', removed: false },
      { id: 9, label: 'Cheque', removed: true },
    ],
  },
  examples: [
    ['', ''],
    ['Card', 'Card'],
    ['Card\r\nCash', 'Card\r\nCash'],
    ['cash\nCARD', 'Cash\r\nCard'],
    ['Cash\r\nCash\r\n', 'Cash'],
  ],
  rejects: ['Coins', 'Cash\r\nCoins', 'Cheque', '-3-7-', 'Cash, Card', 'Cash\rCard'],
}

function read(text: string, settings: FieldSettings, removedToo: boolean): string {
  const labels = text.split(/\r?\n/).filter((label) => label !== '')
  const ids = new Set(labels.map((label) => optionId(settings, label, removedToo)))
  return ids.size === 0 ? '' : `-${[...ids].join('-')}-`
}

const show = (stored: string, label: (id: number) => string): string =>
  stored === ''
    ? ''
    : stored
        .slice(1, -1)
        .split('-')
        .map((id) => label(Number(id)))
        .join('\r\n')
