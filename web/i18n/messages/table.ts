import type { Texts } from './texts.ts'

/* A table and its records. */

// prettier-ignore
export const table = {
  records:          ['{count, plural, one {# record} other {# records}}', '{count, plural, one {# запись} few {# записи} many {# записей} other {# записи}}'],
  range:            ['{from}–{to} of {total}', '{from}–{to} из {total}'],
  firstPage:        ['First page', 'Первая страница'],
  previousPage:     ['Previous page', 'Предыдущая страница'],
  nextPage:         ['Next page', 'Следующая страница'],
  lastPage:         ['Last page', 'Последняя страница'],
  filter:           ['Filter', 'Фильтр'],
  filterHint:       ['An expression, such as contains(f1,\'north\')', 'Выражение, например contains(f1,\'север\')'],
  filterWrong:      ['The filter is not understood: {detail}', 'Фильтр не понят: {detail}'],
  clearFilter:      ['Take the filter away', 'Убрать фильтр'],
  sortBy:           ['Sort by {name}', 'Сортировать по полю «{name}»'],
  noRecords:        ['No records yet', 'Записей пока нет'],
  noMatch:          ['No record matches the filter', 'Ни одна запись не подходит под фильтр'],
  yes:              ['Yes', 'Да'],
  no:               ['No', 'Нет'],
  record:           ['Record {id}', 'Запись {id}'],
  backToTable:      ['Back to the table', 'К таблице'],
} as const satisfies Texts
