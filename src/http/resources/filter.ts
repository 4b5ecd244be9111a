import { createFilter, deleteFilter, mustOwn, savedFilters, updateFilter, type NamedFilter } from '../../store/people/saved-filters.ts'
import { integer, string } from './forms.ts'
import { defineResource, writers } from './resource.ts'

export const filter = defineResource<NamedFilter>({
  type: 'filter',
  token: 'tables',
  plural: 'the saved filters',
  relation: savedFilters,
  members: {
    table_id: { of: 'tableId', form: integer, required: true, set: 'once' },
    filter_name: { of: 'title', form: string, required: true },
    expression: { of: 'expression', form: string, required: true },
    user_id: { of: 'userId', form: integer },
  },
  create: writers('save filters', createFilter),
  update: { allow: mustOwn, run: updateFilter },
  remove: { allow: mustOwn, run: deleteFilter },
})
