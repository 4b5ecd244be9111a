import type { Texts } from './texts.ts'

/* The first page of an administrator who has no tables yet, and sample data. */

// prettier-ignore
export const start = {
  startTitle:       ['Welcome', 'Добро пожаловать'],
  startQuestion:    ['{name}, what will your office keep here?', '{name}, с чего начнём вашу картотеку?'],
  startLead:        ['Three ways to begin. Each takes a minute, and everything can be changed later.', 'Три пути, каждый займёт минуту. Всё можно изменить потом.'],
  startTemplate:    ['Start from a template', 'Начать с шаблона'],
  startContents:    ['Contents', 'Содержимое'],
  startSamples:     ['With sample data', 'С примерами'],
  startEmpty:       ['Empty', 'Без примеров'],
  startFields:      ['{count, plural, one {# field} other {# fields}}', '{count, plural, one {# поле} few {# поля} many {# полей} other {# поля}}'],
  startTemplateHint: ['Links between the tables are already made; sample data goes away with one click.', 'Связи между таблицами уже сделаны; примеры убираются одним щелчком.'],
  startUse:         ['Use this template', 'Взять этот шаблон'],
  startMaking:      ['Making the tables…', 'Создаём таблицы…'],
  startMake:        ['Make a table', 'Сделать таблицу'],
  startMakeLead:    ['A name and the first fields are enough. Add more as you need them.', 'Достаточно названия и первых полей. Остальное добавите по мере надобности.'],
  startTableName:   ['Name of the table', 'Название таблицы'],
  startExample:     ['For example: Suppliers', 'Например: Поставщики'],
  startField:       ['Field {number}', 'Поле {number}'],
  startFieldType:   ['Type of field {number}', 'Тип поля {number}'],
  startAddField:    ['Add a field', 'Ещё поле'],
  startFirstField:  ['Name', 'Название'],
  startMakeNow:     ['Make', 'Создать'],
  startNotMade:     ['Nothing was made.', 'Ничего не создано.'],
  samplesThere:     ['These are sample data. Your own records stay when they go.', 'Это примеры. Ваши собственные записи останутся, когда вы их уберёте.'],
  samplesRemove:    ['Take the samples away', 'Убрать примеры'],
  samplesRemoving:  ['Taking them away…', 'Убираем…'],
  samplesKeep:      ['Keep them', 'Оставить'],
} as const satisfies Texts
