import type { Texts } from './texts.ts'

/* What takes room, and how much is left. */

// prettier-ignore
export const storage = {
  storageTitle:     ['Storage', 'Хранилище'],
  storageFull:      ['The disk is full, or does not answer. What is there can be read, but changes are refused until there is room. Make room on the disk first: move copies and other files to another machine. Then erase what is in the trash and forbid indexes that are not needed; while there is no room at all, that is refused too.', 'Диск заполнен или не отвечает. Данные можно читать, но изменения не принимаются, пока не появится место. Сначала освободите его на самом диске: перенесите копии и другие файлы на другую машину. Затем сотрите лишнее из корзины и запретите ненужные индексы: пока места нет совсем, не примется и это.'],
  storageLittle:    ['Only {free} of the disk are left. When it is full, changes are refused. Move copies to another machine, give the service a larger disk, or erase what is in the trash.', 'На диске осталось всего {free}. Когда он заполнится, изменения не будут приниматься. Перенесите копии на другую машину, дайте сервису диск побольше или сотрите лишнее из корзины.'],
  storageDisk:      ['On the disk', 'На диске'],
  storageFree:      ['Left on the disk', 'Осталось на диске'],
  storageUntold:    ['the disk does not tell', 'диск не сообщает'],
  storageServer:    ['This is the disk of this program. What the server of the database has left must be looked at there.', 'Это диск самой программы. Сколько осталось у сервера базы данных, смотрите на нём.'],
  storageDatabase:  ['Database', 'База данных'],
  storageUnused:    ['Of that, {size} are free for new data: room of what was erased is used again, the file does not become smaller.', 'Из них {size} свободно для новых данных: место стёртого используется снова, сам файл не уменьшается.'],
  storageLog:       ['Write-ahead log beside it', 'Журнал записи рядом с ней'],
  storageIndexes:   ['Indexes', 'Индексы'],
  storageToIndexes: ['to the indexes', 'к индексам'],
  storageIndexesHelp: ['They are a part of the database; each has the size that it had when it was made. One that is forbidden frees its room and makes lists slower.', 'Они входят в базу; размер каждого — на момент создания. Если индекс запретить, его место освободится, а списки станут медленнее.'],
  storageFiles:     ['Files', 'Файлы'],
  storageCounted:   ['{size} in {count, plural, one {# file} other {# files}}', '{size}: {count, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}'],
  storageMore:      ['more than {size}: so much have {count, plural, one {# file} other {# files}}, and there are more', 'больше {size}: столько занимают {count, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}, и это не все'],
  storageFilesHelp: ['Those of records and of the trash. What is attached several times is counted each time and stored once.', 'Файлы записей и корзины. Прикреплённое несколько раз считается каждый раз, а хранится один раз.'],
  storageTrashed:   ['{count, plural, one {# entry} other {# entries}}', '{count, plural, one {# предмет} few {# предмета} many {# предметов} other {# предмета}}'],
  storageToTrash:   ['to the trash', 'к корзине'],
  storageTrashHelp: ['What is in it goes by itself after {days, plural, one {# day} other {# days}}; you can erase it before.', 'Всё в ней стирается само через {days, plural, one {# день} few {# дня} many {# дней} other {# дня}}; стереть можно и раньше.'],
  storageTables:    ['Tables with the largest indexes', 'Таблицы с самыми большими индексами'],
  storageTable:     ['Table', 'Таблица'],
  storageRecords:   ['Records', 'Записи'],
  storageMemory:    ['In memory', 'В памяти'],
  storageProcess:   ['This program', 'Эта программа'],
  storageLists:     ['Of that, lists', 'Из них списки'],
  storageUsed:      ['{used} of at most {most}', '{used} из возможных {most}'],
  storageListsHelp: ['What makes long lists fast. When there is no room for more, what was not used for longest goes. Who runs the service sets the most with KARTOTEKA_LIST_MEMORY.', 'То, что ускоряет длинные списки. Когда места не хватает, уходит то, чем дольше всего не пользовались. Предел задаёт тот, кто запускает сервис: KARTOTEKA_LIST_MEMORY.'],
} as const satisfies Texts
