import { categories, createCategory, deleteCategory, updateCategory, type Category } from '../../store/structure/categories.ts'
import { integer, string } from './forms.ts'
import { administrators, defineResource } from './resource.ts'

export const category = defineResource<Category>({
  type: 'category',
  token: 'tables',
  plural: 'the categories of the tables',
  relation: categories,
  members: {
    category_name: { of: 'title', form: string, required: true, says: 'Its name.' },
    sequence_number: { of: 'sequence', form: integer, says: 'Its position among the categories: smaller numbers first.' },
  },
  create: administrators('create categories', createCategory),
  update: administrators('change categories', updateCategory),
  remove: administrators('delete categories', deleteCategory),
})
