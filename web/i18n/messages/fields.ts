import type { Texts } from './texts.ts'

/* Values and their editors. */

// prettier-ignore
export const fields = {
  findChoice:       ['Type to find', 'Введите, чтобы найти'],
  addChoice:        ['Add “{name}”', 'Добавить «{name}»'],
  noChoice:         ['Take the value away', 'Убрать значение'],
  notAdded:         ['Not added. {detail}', 'Не добавлено. {detail}'],
  openForm:         ['Fill in the form', 'Заполнить форму'],
  done:             ['Done', 'Готово'],
  notANumber:       ['This is no number. Write it as {example}, or as a sum: =2*19.90', 'Это не число. Пишите так: {example} или так: =2*19,90'],
  notWhole:         ['Only whole numbers fit here. Write it as {example}.', 'Здесь могут быть только целые числа. Пишите так: {example}.'],
  notADate:         ['This is no date. Write it as {example}, or “tomorrow”.', 'Это не дата. Пишите так: {example} или «завтра».'],
  dayOrTime:        ['This may be a day or a time. Write it as {day} or {time}.', 'Это может быть и день, и время. Пишите так: {day} или {time}.'],
  anyDay:           ['any day', 'любой день'],
  pickDay:          ['Choose a day', 'Выбрать день'],
  pickToday:        ['Today', 'Сегодня'],
  doubtMail:        ['This does not look like an e-mail address yet.', 'Это пока не похоже на адрес почты.'],
  doubtPhone:       ['This does not look like a telephone number yet.', 'Это пока не похоже на номер телефона.'],
  doubtAddress:     ['This does not look like a web address yet.', 'Это пока не похоже на адрес в интернете.'],
  notYesOrNo:       ['Write yes or no.', 'Напишите «да» или «нет».'],
  noSuchOption:     ['There is no option “{label}” in this list.', 'В этом списке нет варианта «{label}».'],
  notSetByPeople:   ['The service sets this number itself.', 'Этот номер ставит сам сервис.'],
  nameMissing:      ['There is no “{name}” that you see.', 'Нет такого среди того, что вам видно: «{name}».'],
  nameOfSeveral:    ['Several are called “{name}”: choose from the list, or write a number such as #7.', '«{name}» — название нескольких: выберите из списка или напишите номер, например #7.'],
  nameOrNumber:     ['“{name}” is the number of one and the title of another: write #{name} for the number, or choose from the list.', '«{name}» — номер одной записи и название другой: для номера напишите #{name} или выберите из списка.'],
  namesTooMany:     ['More than {count} different names at once cannot be looked for.', 'Больше {count} разных названий сразу не ищутся.'],
  chooseFromList:   ['Choose from the list, or write a number such as #7.', 'Выберите из списка или напишите номер, например #7.'],
  filesInCard:      ['Open the record to add files.', 'Откройте запись, чтобы добавить файлы.'],
} as const satisfies Texts
