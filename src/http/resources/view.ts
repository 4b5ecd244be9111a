import { createView, deleteView, mayWriteView, savedViews, updateView, type SavedView } from '../../store/people/saved-views.ts'
import { columns, integer, string } from './forms.ts'
import { defineResource, writers } from './resource.ts'

export const view = defineResource<SavedView>({
  type: 'view',
  token: 'tables',
  plural: 'the saved views',
  relation: savedViews,
  members: {
    table_id: { of: 'tableId', form: integer, required: true, set: 'once', says: 'Its table.' },
    view_name: { of: 'title', form: string, required: true, says: 'Its name.' },
    kind: { of: 'kind', form: string, says: '`grid`, `cards`, `board`, `calendar` or `chart`. Default: `grid`.' },
    filter: { of: 'filter', form: string, says: 'A [filter](../filters.md), without `use_filter`. Default: none.' },
    sort: { of: 'sort', form: string, says: 'Attributes, separated by commas, as the parameter `sort` of a list. Default: none.' },
    columns: {
      of: 'columns',
      form: columns,
      says: 'The attributes that are shown, in their order; `width` in pixels may be left out; `wrap`: long values in several lines; `frozen`: it stays while the others scroll; `figure`: what the page computes below it of all records, such as `sum` or `filled`. Where `*` is among them, the attributes that are not named are shown too, in the order of the table; then `hidden` takes one away, `after` says behind which attribute one stands (an empty text: it is the first), and `frozen` is of the last one that stays, or false of `*`: none does. Default: none, so all.',
    },
    group_by: {
      of: 'groupBy',
      form: string,
      says: 'An attribute, or a date with its period, as the parameter `groupBy` of [aggregates](../aggregates.md). Default: none.',
    },
    figure: {
      of: 'figure',
      form: string,
      says: 'What a chart shows: a function of [aggregates](../aggregates.md), such as `sum:f4`. Default: none, so the count.',
    },
    span: { of: 'span', form: string, says: 'What a calendar shows: `month` or `week`. Default: none, so a month.' },
    user_id: {
      of: 'userId',
      form: integer,
      says: 'Its owner; 0: shared with all who may read the table. Default: 0 for administrators, otherwise the caller.',
    },
  },
  create: writers('save views', createView),
  update: { allow: mayWriteView, run: updateView },
  remove: { allow: mayWriteView, run: deleteView },
})
