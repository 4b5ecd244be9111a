import type { Texts } from './texts.ts'

/* The frame around all pages, the palette, help, and what any page may say. */

// prettier-ignore
export const frame = {
  product:          ['Kartoteka', 'Картотека'],
  loading:          ['Loading…', 'Загрузка…'],
  skip:             ['Skip to the content', 'К содержимому'],
  noConnection:     ['The service does not answer. Check the connection; nothing is lost.', 'Сервис не отвечает. Проверьте соединение; ничего не потеряно.'],
  diskFull:         ['The disk of the service is full: nothing can be saved until the administrator makes room.', 'На диске сервиса нет места: сохранить ничего нельзя, пока администратор его не освободит.'],
  notNow:           ['The service cannot answer just now. Try again in a moment.', 'Сервис сейчас не может ответить. Повторите чуть позже.'],
  failed:           ['That did not work: {detail}', 'Не получилось: {detail}'],
  tryAgain:         ['Try again', 'Повторить'],
  notFoundTitle:    ['There is nothing here', 'Здесь ничего нет'],
  notFound:         ['This address leads nowhere, or to something that you may not see.', 'Такого адреса нет, или вам его не видно.'],
  toStart:          ['To the first page', 'На первую страницу'],
  tables:           ['Tables', 'Таблицы'],
  otherTables:      ['Other tables', 'Другие таблицы'],
  noTables:         ['No tables yet', 'Таблиц пока нет'],
  noTablesLead:     ['There is no table that you may see. An administrator makes tables, or gives you the right to read them.', 'Нет таблиц, которые вам видны. Таблицы создаёт администратор, он же даёт право их читать.'],
  jumpTo:           ['Jump to…', 'Перейти…'],
  find:             ['A record, a table or a command', 'Запись, таблица или команда'],
  nothingFound:     ['Nothing matches', 'Ничего не подходит'],
  commands:         ['Commands', 'Команды'],
  help:             ['Help', 'Справка'],
  helpAll:          ['All chapters', 'Все главы'],
  shortcuts:        ['Keyboard shortcuts', 'Сочетания клавиш'],
  reference:        ['Reference of the interface', 'Справочник по интерфейсу'],
  toggleSidebar:    ['Show or hide the list of tables', 'Показать или скрыть список таблиц'],
  sideMoved:        ['{name} is at place {place} of {count}', '«{name}» — на месте {place} из {count}'],
  sideWidth:        ['Width of the list of tables', 'Ширина списка таблиц'],
  moveTable:        ['Move the table in the list (on the table)', 'Передвинуть таблицу в списке (на таблице)'],
  close:            ['Close', 'Закрыть'],
  keys:             ['Keys', 'Клавиши'],
  action:           ['Action', 'Действие'],
  helpLead:         ['Everything can be done with the keyboard. Ctrl K finds records by words in them, and tables and commands by their names.', 'Всё можно делать с клавиатуры. Ctrl K находит записи по словам в них, таблицы и команды — по названию.'],
} as const satisfies Texts
