import { createFilter, deleteFilter, savedFilters, updateFilter, type NamedFilter } from '../../store/saved-filters.ts'
import { integer, string } from './forms.ts'
import { defineResource } from './resource.ts'

export const filter = defineResource<NamedFilter>({
  type: 'filter',
  plural: 'the saved filters',
  relation: savedFilters,
  members: {
    table_id: { of: 'tableId', form: integer, required: true, set: 'once' },
    filter_name: { of: 'title', form: string, required: true },
    expression: { of: 'expression', form: string, required: true },
    user_id: { of: 'userId', form: integer },
  },
  create: createFilter,
  update: updateFilter,
  remove: deleteFilter,
})
