import type { Sentence, Sentences } from './sentence.ts'

/* Why a file is not read, or does not fit a table. */

// prettier-ignore
export const importRefusals = {
  'import.no_file': [['The import has no file yet. Send it by PUT to …/file.', 'Файл ещё не загружен.']],
  'import.unreadable': [
    ['A text of the workbook is too long.', 'В книге слишком длинный текст.'],
    ['Line {line} is longer than {most} characters; is a quote left open?', 'Строка {line} длиннее {most} знаков. Возможно, не закрыта кавычка.'],
    ['Line {line} is longer than {most} characters.', 'Строка {line} длиннее {most} знаков.'],
    ['The file is not written in {encoding}: it has another encoding.', 'Файл записан не в {encoding}: у него другая кодировка.'],
    ["There is no encoding '{encoding}'; most files are utf-8 or windows-1251.", 'Кодировки «{encoding}» нет. Чаще всего файлы в utf-8 или windows-1251.'],
    ['Reading the workbook takes too much memory. Save it as CSV.', 'Чтобы прочитать книгу, нужно слишком много памяти. Сохраните её как CSV.'],
    ['Reading the beginning of the workbook takes too long. Save it as CSV.', 'Начало книги читается слишком долго. Сохраните её как CSV.'],
    ['Reading the workbook was stopped before its end.', 'Чтение книги прервано.'],
    ['The texts of the workbook are too long. Save it as CSV.', 'Тексты книги слишком длинные. Сохраните её как CSV.'],
    ['The file is not a workbook (.xlsx): {reason}.', 'Это не книга Excel (.xlsx).'],
    ['Importing the file takes too much memory: its lines are too long.', 'Для импорта нужно слишком много памяти: строки файла слишком длинные.'],
    ['Sheets are in workbooks (.xlsx); this file is none.', 'Листы бывают в книгах (.xlsx), а это не книга.'],
    ['The file has more than {most} columns; is the character between values another one?', 'В файле больше {most} столбцов. Возможно, значения разделены другим знаком.'],
    ['The workbook has no sheet.', 'В книге нет листов.'],
    ["The workbook has no sheet '{name}'. Its sheets: {list}.", 'В книге нет листа «{name}». Есть: {list}.'],
    ['The workbook has no part {path}.', 'Книга повреждена: нет части {path}.'],
    ['The workbook has a document type, which no program writes.', 'Книга повреждена или подделана.'],
    ['The part {path} of the workbook is not XML: {reason}', 'Книга повреждена: часть {path} не читается.'],
    ['The part {path} of the workbook is too large.', 'Часть {path} книги слишком велика.'],
    ['The part {path} of the workbook has a tag or a text of more than {most} bytes.', 'В части {path} книги текст длиннее {most} байт.'],
    ['The part {path} of the workbook is damaged: {reason}.', 'Книга повреждена: часть {path}.'],
    ['The workbook has too many styles.', 'В книге слишком много стилей.'],
    ['Row {row} of the sheet is out of order.', 'Книга повреждена: строка {row} не на своём месте.'],
    ['The sheet has more than {most} columns.', 'На листе больше {most} столбцов.'],
    ['Row {row} of the sheet is longer than {most} characters.', 'Строка {row} листа длиннее {most} знаков.'],
  ],
  'import.unfit': [
    ['The file has {has} columns, not {sent}.', 'В файле столбцов: {has}, а не {sent}.'],
    ['A column goes to a field, becomes a new one, or is left out: one of the three.', 'Столбец или идёт в поле, или становится новым полем, или пропускается.'],
    ['The table is made by the import, and has no fields yet.', 'Таблицу создаст сам импорт, полей в ней ещё нет.'],
    ["Dates are written in a pattern such as DD.MM.YYYY, MM/DD/YYYY or YYYY/MM/DD, not '{format}'.", 'Вид даты — например DD.MM.YYYY, MM/DD/YYYY или YYYY/MM/DD, но не «{format}».'],
    ['Lines give records their ids, or change the records that they name: not both.', 'Строки или задают номера записей, или меняют названные записи, но не то и другое.'],
    ["The file has no column 'id'.", 'В файле нет столбца id.'],
    ['Ids are kept only in a table that has never had a record.', 'Номера сохраняются только в таблице, где записей ещё не было.'],
    ['Only records of a table that is there can be changed.', 'Менять можно только записи существующей таблицы.'],
    ["The table '{table}' has no field '{field}'.", 'В таблице «{table}» нет поля «{field}».'],
    ["Table '{table}' has no field '{field}'.", 'В таблице «{table}» нет поля «{field}».'],
    ["The field '{field}' is not unique, so it cannot name records.", 'В поле «{field}» бывают повторы, поэтому записи по нему не найти.'],
    ["The file has no column for the field '{field}'.", 'В файле нет столбца для поля «{field}».'],
    ["'{text}' should name a table and its unique field, such as Customers.Code.", '«{text}»: нужны таблица и её поле без повторов, например Клиенты.Код.'],
    ["The file has no column '{name}'. Its columns: {list}.", 'В файле нет столбца «{name}». Есть: {list}.'],
    ["The column '{name}' must be made unique to name records.", 'Чтобы по столбцу «{name}» находить записи, запретите в нём повторы.'],
    ["There is no table and field '{text}'.", 'Таблицы и поля «{text}» нет.'],
    ["The field '{field}' of table '{table}' is not unique, so it cannot name records.", 'В поле «{field}» таблицы «{table}» бывают повторы, поэтому записи по нему не найти.'],
    ["References within table '{table}' take the right to update its records.", 'Для ссылок внутри таблицы «{table}» нужно право менять её записи.'],
    ['The file has no header line.', 'В файле нет строки с заголовками.'],
    ['A type is about fields that are made; the table is there already.', 'Тип задают только новым полям, а таблица уже есть.'],
    ["'unique' is about fields that are made; the table is there already.", 'Повторы запрещают только в новых полях, а таблица уже есть.'],
    ["You may not write '{field}' of table '{table}'.", 'Поле «{field}» таблицы «{table}» вам менять нельзя.'],
    ["There is no field type '{name}'. Types: {list}.", 'Типа «{name}» нет. Есть: {list}.'],
    ["'{name}' cannot be a {type} and name records too.", 'Столбец «{name}» не может быть типа {type} и называть записи.'],
    ["Which records '{name}' names is not said: by which unique field of which table.", 'Не сказано, какие записи называет «{name}»: выберите таблицу и поле без повторов.'],
    ["There is a table '{name}' already ({id}).", 'Таблица «{name}» уже есть.'],
  ],
} as const satisfies Sentences

/** Why a line of a file is not taken, besides what its values are refused for. */
// prettier-ignore
export const lineFaults: readonly Sentence[] = [
  ['A record has this id already.', 'Запись с таким номером уже есть.'],
  ["No record has '{value}' in {field}; the line was imported without it.", 'Нет записи, у которой {field} — «{value}»; строка взята без этой ссылки.'],
  ["No record has '{value}' in {field}.", 'Нет записи, у которой {field} — «{value}».'],
  ['The line has {has} values; the header has {most}.', 'В строке значений: {has}, а в заголовке: {most}.'],
  ["'{value}' is no id: a whole number from 1 to {most}.", '«{value}» — не номер: нужно целое от 1 до {most}.'],
  ["'{value}' is not the {type} that the first lines suggest; the type text takes both.", '«{value}» не подходит под тип {type}, угаданный по первым строкам; тип text примет всё.'],
]
