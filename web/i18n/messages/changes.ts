import type { Texts } from './texts.ts'

/* The last changes, and their undo. */

// prettier-ignore
export const changes = {
  changesTitle:     ['Last changes', 'Изменения'],
  changesLead:      ['What was added, changed and moved to the trash: single edits, pastes, imports, changes of many records.', 'Что добавлено, изменено и убрано в корзину: правки, вставки, загрузки, изменения многих записей.'],
  changesNone:      ['No changes yet', 'Изменений пока нет'],
  changesNoneLead:  ['What you change in records stands here, and can be undone.', 'Здесь появится то, что вы измените в записях; это можно отменить.'],
  changesPages:     ['Pages of changes', 'Страницы изменений'],
  changesWhose:     ['Whose changes', 'Чьи изменения'],
  changesMine:      ['My own', 'Мои'],
  changesAll:       ['Everybody’s', 'Всех'],
  changesNobody:    ['Command line and service', 'Командной строки и сервиса'],
  changesCreate:    ['{count, plural, one {# record added} other {# records added}}', '{count, plural, one {Добавлена # запись} few {Добавлены # записи} many {Добавлено # записей} other {Добавлено # записи}}'],
  changesUpdate:    ['{count, plural, one {# record changed} other {# records changed}}', '{count, plural, one {Изменена # запись} few {Изменены # записи} many {Изменено # записей} other {Изменено # записи}}'],
  changesUpsert:    ['{count, plural, one {# record added or changed} other {# records added or changed}}', '{count, plural, one {Добавлена или изменена # запись} few {Добавлены или изменены # записи} many {Добавлено или изменено # записей} other {Добавлено или изменено # записи}}'],
  changesDelete:    ['{count, plural, one {# record moved to the trash} other {# records moved to the trash}}', '{count, plural, one {Убрана в корзину # запись} few {Убраны в корзину # записи} many {Убрано в корзину # записей} other {Убрано в корзину # записи}}'],
  changesRestore:   ['{count, plural, one {# record brought back} other {# records brought back}}', '{count, plural, one {Возвращена # запись} few {Возвращены # записи} many {Возвращено # записей} other {Возвращено # записи}}'],
  changesConvert:   ['{count, plural, one {Another type of a field in # record} other {Another type of a field in # records}}', '{count, plural, one {Сменён тип поля в # записи} few {Сменён тип поля в # записях} many {Сменён тип поля в # записях} other {Сменён тип поля в # записи}}'],
  changesErase:     ['{count, plural, one {# record erased} other {# records erased}}', '{count, plural, one {Стёрта # запись} few {Стёрты # записи} many {Стёрто # записей} other {Стёрто # записи}}'],
  changesByImport:  ['Import', 'Загрузка'],
  changesUndone:    ['undone', 'отменено'],
  changesUndoOf:    ['Undo: {name}', 'Отменить: {name}'],
  changesRedoOf:    ['Redo: {name}', 'Повторить: {name}'],
  changesRedone:    ['{count, plural, one {# record is changed again.} other {# records are changed again.}}', '{count, plural, one {# запись снова изменена.} few {# записи снова изменены.} many {# записей снова изменено.} other {# записи снова изменено.}}'],
  changesUndoneBut: ['{count, plural, =0 {Nothing is undone; the list tells why.} one {# record is as before; the list tells what stays.} other {# records are as before; the list tells what stays.}}', '{count, plural, =0 {Ничего не отменено; почему — сказано в списке.} one {# запись как прежде; что осталось — сказано в списке.} few {# записи как прежде; что осталось — сказано в списке.} many {# записей как прежде; что осталось — сказано в списке.} other {# записи как прежде; что осталось — сказано в списке.}}'],
  changesRedoneBut: ['{count, plural, =0 {Nothing is changed again; the list tells why.} one {# record is changed again; the list tells what stays.} other {# records are changed again; the list tells what stays.}}', '{count, plural, =0 {Ничего не изменено снова; почему — сказано в списке.} one {# запись снова изменена; что осталось — сказано в списке.} few {# записи снова изменены; что осталось — сказано в списке.} many {# записей снова изменено; что осталось — сказано в списке.} other {# записи снова изменено; что осталось — сказано в списке.}}'],
  changesLeft:      ['{count, plural, one {# stays as it is:} other {# stay as they are:}}', 'Осталось как есть — {count}:'],
  changesLeftMore:  ['and {count} more', 'и ещё {count}'],
} as const satisfies Texts
