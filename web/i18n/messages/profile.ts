import type { Texts } from './texts.ts'

/* Profile and settings of a person. */

// prettier-ignore
export const profile = {
  profile:          ['Profile', 'Профиль'],
  profileOf:        ['Profile of {name}', 'Профиль: {name}'],
  language:         ['Language', 'Язык'],
  theme:            ['Theme', 'Тема'],
  themeSystem:      ['As the system', 'Как в системе'],
  themeLight:       ['Light', 'Светлая'],
  themeDark:        ['Dark', 'Тёмная'],
  density:          ['Density', 'Плотность'],
  comfortable:      ['Comfortable', 'Просторно'],
  compact:          ['Compact', 'Плотно'],
  name:             ['Name', 'Имя'],
  email:            ['E-mail', 'Почта'],
  groups:           ['Groups', 'Группы'],
  passwordChange:   ['Change the password', 'Сменить пароль'],
  passwordNow:      ['Your password of now', 'Нынешний пароль'],
  passwordLead:     ['Everywhere else you are signed out, and programs that signed in with the old password are too.', 'Во всех других местах вы выйдете, как и программы, вошедшие со старым паролем.'],
  passwordChanged:  ['Your password is changed.', 'Пароль изменён.'],
  notSaved:         ['Not saved on your account: {detail}', 'Не сохранено в вашей учётной записи: {detail}'],
  switchTheme:      ['Light or dark', 'Светлая или тёмная'],
  switchLanguage:   ['Language: Russian', 'Язык: английский'],
  switchDensity:    ['Comfortable or compact rows', 'Просторные или плотные строки'],
} as const satisfies Texts
