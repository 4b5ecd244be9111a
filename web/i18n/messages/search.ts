import type { Texts } from './texts.ts'

/* The search over all tables. */

// prettier-ignore
export const search = {
  searchTitle:      ['Search all tables', 'Поиск по всем таблицам'],
  searchHint:       ['Names, numbers, words of notes…', 'Имена, номера, слова из заметок…'],
  searchLead:       ['Type the beginnings of words, in any order. Telephone numbers are found by their first digits or their last ones.', 'Введите начала слов в любом порядке. Телефоны находятся по первым или последним цифрам.'],
  searchRunning:    ['Looking…', 'Ищем…'],
  searchFound:      ['{count, plural, one {# record} other {# records}} in {tables, plural, one {# table} other {# tables}}', '{count, plural, one {# запись} few {# записи} many {# записей} other {# записи}} в {tables, plural, one {# таблице} other {# таблицах}}'],
  searchNone:       ['Nothing found', 'Ничего не найдено'],
  searchNoneLead:   ['No record that you may see has a word beginning with each of these. Try fewer letters or fewer words.', 'Ни в одной доступной вам записи нет слов с такими началами. Попробуйте меньше букв или меньше слов.'],
  searchNoLetters:  ['There is no letter and no digit to look for.', 'Нет ни букв, ни цифр для поиска.'],
  searchTooLarge:   ['This table is too large to be looked through in time. Filter it by one field.', 'Таблица слишком большая, за отведённое время просмотреть её не удалось. Отфильтруйте её по одному полю.'],
  searchMoreTables: ['Look in further tables', 'Искать в остальных таблицах'],
  searchEverywhere: ['Search all tables for “{text}”', 'Искать «{text}» во всех таблицах'],
  searchOpenTable:  ['Open the table', 'Открыть таблицу'],
  foundRecords:     ['Records', 'Записи'],
} as const satisfies Texts
