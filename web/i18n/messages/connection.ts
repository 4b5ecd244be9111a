import type { Texts } from './texts.ts'

/* The connection to the service, and what waits for it. */

// prettier-ignore
export const connection = {
  awayTitle:        ['The service cannot be reached', 'Сервис недоступен'],
  awayLead:         ['This page comes by itself as soon as it answers again.', 'Страница появится сама, как только он снова ответит.'],
  away:             ['The service does not answer. What you change is kept, and sent when it is back.', 'Сервис не отвечает. Изменения сохраняются здесь и уйдут, когда он вернётся.'],
  awayWaiting:      ['The service does not answer. {count, plural, one {# change is} other {# changes are}} kept here, and sent when it is back.', 'Сервис не отвечает. {count, plural, one {# изменение ждёт} few {# изменения ждут} many {# изменений ждут} other {# изменения ждут}} отправки.'],
  fullWaiting:      ['The disk of the service is full. {count, plural, one {# change is} other {# changes are}} kept here, and saved when the administrator has made room.', 'На диске сервиса нет места. {count, plural, one {# изменение ждёт} few {# изменения ждут} many {# изменений ждут} other {# изменения ждут}}, пока администратор его не освободит.'],
  tryNow:           ['Try now', 'Проверить сейчас'],
  waits:            ['Waits for the connection', 'Ждёт соединения'],
  waitsForRoom:     ['Waits for room on the disk', 'Ждёт места на диске'],
  unsaved:          ['{count, plural, one {# change was} other {# changes were}} not saved.', '{count, plural, one {# изменение не сохранено} few {# изменения не сохранены} many {# изменений не сохранено} other {# изменения не сохранено}}.'],
  unsavedShow:      ['Show', 'Показать'],
  unsavedTitle:     ['What was not saved', 'Что не сохранено'],
  unsavedNone:      ['Everything is decided.', 'Всё решено.'],
  unsavedMany:      ['{changed, plural, =0 {} one {# record changed} other {# records changed}}{added, plural, =0 {} one { # new record} other { # new records}}{removed, plural, =0 {} one {# record into the trash} other {# records into the trash}}', '{changed, plural, =0 {} one {изменена # запись} few {изменены # записи} many {изменено # записей} other {изменено # записи}}{added, plural, =0 {} one { # новая запись} few { # новые записи} many { # новых записей} other { # новой записи}}{removed, plural, =0 {} one {# запись в корзину} few {# записи в корзину} many {# записей в корзину} other {# записи в корзину}}'],
  discard:          ['Discard', 'Отказаться'],
  keptHere:         ['Kept in this browser', 'Сохранено в этом браузере'],
  typedKept:        ['What you typed is kept. It stands there again when you edit that value.', 'Набранное сохранено. Оно появится снова, когда вы откроете это значение для правки.'],
  typedLost:        ['What you typed was not saved, as its field can no longer be written: {text}', 'Набранное не сохранено: это поле больше нельзя изменить. Вот оно: {text}'],
  newWaits:         ['The service does not answer. The record is kept here, and made when it is back.', 'Сервис не отвечает. Запись сохранена здесь и появится, когда он вернётся.'],
  newWaitsFiles:    ['Its files are sent then too, as long as this page stays open.', 'Файлы уйдут следом, если не закрывать эту страницу.'],
  signOutUnsaved:   ['{count, plural, one {# change is} other {# changes are}} not saved and would be lost. Sign out?', '{count, plural, one {# изменение не сохранено и пропадёт} few {# изменения не сохранены и пропадут} many {# изменений не сохранены и пропадут} other {# изменения не сохранены и пропадут}}. Выйти?'],
} as const satisfies Texts
