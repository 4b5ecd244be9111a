import { administrator } from '../../store/administrator.ts'
import { categories, createCategory, deleteCategory, updateCategory, type Category } from '../../store/categories.ts'
import { integer, string } from './forms.ts'
import { defineResource } from './resource.ts'

export const category = defineResource<Category>({
  type: 'category',
  plural: 'the categories of the tables',
  relation: categories,
  members: {
    category_name: { of: 'title', form: string, required: true },
    sequence_number: { of: 'sequence', form: integer },
  },
  create: (store, caller, values) => createCategory(store, administrator(caller, 'create categories'), values),
  update: (store, caller, id, changes) => updateCategory(store, administrator(caller, 'change categories'), id, changes),
  remove: (store, caller, id) => deleteCategory(store, administrator(caller, 'delete categories'), id),
})
