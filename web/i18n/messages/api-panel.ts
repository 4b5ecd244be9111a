import type { Texts } from './texts.ts'

/* What a page shows, as a request that a program sends. */

// prettier-ignore
export const apiPanel = {
  apiTitle:         ['API', 'API'],
  apiList:          ['This is how a program asks for the records that you see here, with the same filter and order.', 'Так программа запрашивает записи, которые вы здесь видите: с тем же фильтром и порядком.'],
  apiNext:          ['The answer has the first page. Its {name} is the address of the next one, ready to be asked for; on the last page there is none.', 'В ответе первая страница. Адрес следующей — в {name}: его можно запросить как есть; на последней странице его нет.'],
  apiRecord:        ['This is how a program asks for this record.', 'Так программа запрашивает эту запись.'],
  apiCreate:        ['This is how a program adds a record. The values are examples.', 'Так программа добавляет запись. Значения взяты для примера.'],
  apiOnce:          ['With a header {name}, another one for each record, it may send the same again after a lost answer: no second record is made.', 'С заголовком {name}, для каждой записи своим, запрос можно повторить, если ответ потерялся: второй записи не будет.'],
  apiChange:        ['This is how a program changes this record: what is not named stays as it is.', 'Так программа меняет эту запись: что не названо, останется как есть.'],
  apiAct:           ['What the program does', 'Что делает программа'],
  apiReads:         ['Read', 'Читает'],
  apiCreates:       ['Add a record', 'Добавляет запись'],
  apiChanges:       ['Change', 'Меняет'],
  apiLanguage:      ['Language', 'Язык'],
  apiProgram:       ['The request in {language}', 'Запрос: {language}'],
  apiCopy:          ['Copy', 'Копировать'],
  apiCopied:        ['Copied', 'Скопировано'],
  apiNotCopied:     ['The browser does not allow it: select the text and copy it.', 'Браузер не разрешает: выделите текст и скопируйте.'],
  apiReference:     ['Reference of your tables', 'Справочник по вашим таблицам'],
  apiToken:         ['There is no token in it. Make one of your own, and put it into the variable {name} of the environment.', 'Ключа здесь нет. Создайте свой и задайте его в переменной окружения {name}.'],
} as const satisfies Texts
