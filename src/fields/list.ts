import { limits } from '../limits.ts'
import type { FieldType } from './field-type.ts'
import { wholeColumn } from './forms/numbers.ts'
import { labelOf, labelsSchema, optionId } from './forms/options.ts'

/** One of the options of the field. Records store its id, so a new label shows in all records at once. */
export const list: FieldType = {
  name: 'list',
  kind: 'choice',
  widget: 'choice',
  says: 'One of the options of the field, by its label.',
  column: wholeColumn,
  maxUnits: 2 * limits.optionLabel.most,
  settings: ['options'],
  empty: 0,
  hasEmpty: true,
  schema: (settings) => ({ shown: labelsSchema(settings, true), sent: labelsSchema(settings, false) }),
  parse: (label, settings) => (label === '' ? 0 : optionId(settings, label, false)),
  literal: (label, settings) => (label === '' ? 0 : optionId(settings, label, true)),
  format: (stored, settings) => labelOf(settings, Number(stored)),
  exampleSettings: {
    options: [
      { id: 3, label: 'New', removed: false },
      { id: 7, label: 'Won', removed: false },
      { id: 8, label: 'Ёлка', removed: false },
      { id: 9, label: 'Lost', removed: true },
    ],
  },
  examples: [
    ['', ''],
    ['New', 'New'],
    ['won', 'Won'],
    ['елка', 'Ёлка'],
  ],
  rejects: ['Old', 'Lost', '3', '0', ' New', 'New\r\nWon'],
}
