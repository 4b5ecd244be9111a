import { createFilter, deleteFilter, mustOwn, savedFilters, updateFilter, type NamedFilter } from '../../store/people/saved-filters.ts'
import { integer, string } from './forms.ts'
import { defineResource, writers } from './resource.ts'

export const filter = defineResource<NamedFilter>({
  type: 'filter',
  token: 'tables',
  plural: 'the saved filters',
  relation: savedFilters,
  members: {
    table_id: { of: 'tableId', form: integer, required: true, set: 'once', says: 'The table it selects from.' },
    filter_name: { of: 'title', form: string, required: true, says: 'Its name.' },
    expression: {
      of: 'expression',
      form: string,
      required: true,
      says: "The filter, such as `eq(f2,'warm')`. It may not contain `use_filter`.",
    },
    user_id: { of: 'userId', form: integer, says: 'Its owner; 0: shared. Default: the caller. Only administrators can set another owner.' },
  },
  create: writers('save filters', createFilter),
  update: { allow: mustOwn, run: updateFilter },
  remove: { allow: mustOwn, run: deleteFilter },
})
