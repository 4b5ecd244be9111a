import type { Texts } from './texts.ts'

/* Sign-in, invitations, the end of a session. */

// prettier-ignore
export const door = {
  signInTitle:      ['Sign in', 'Вход'],
  signInLead:       ['Sign in to go on where you left off.', 'Войдите, чтобы продолжить с того же места.'],
  login:            ['Login', 'Логин'],
  password:         ['Password', 'Пароль'],
  showPassword:     ['Show the password', 'Показать пароль'],
  hidePassword:     ['Hide the password', 'Скрыть пароль'],
  signIn:           ['Sign in', 'Войти'],
  signingIn:        ['Signing in…', 'Входим…'],
  signInForgotten:  ['Forgotten it? Any administrator can send you a one-time link.', 'Забыли? Любой администратор пришлёт одноразовую ссылку.'],
  signInFirst:      ['The first login and password are what the service printed when it started.', 'Первые логин и пароль напечатал сервис при запуске.'],
  wrongPassword:    ['Login and password do not match. Check the keyboard language and Caps Lock.', 'Логин и пароль не подходят друг к другу. Проверьте раскладку и Caps Lock.'],
  tooManyAttempts:  ['Too many attempts. Try again in {seconds, plural, one {# second} other {# seconds}}.', 'Слишком много попыток. Попробуйте через {seconds, plural, one {# секунду} few {# секунды} many {# секунд} other {# секунды}}.'],
  inviteTitle:      ['Choose a password', 'Выберите пароль'],
  inviteLead:       ['It is yours alone: nobody else learns it.', 'Он только ваш: больше его никто не узнает.'],
  inviteAction:     ['Set the password and sign in', 'Задать пароль и войти'],
  inviteHint:       ['The link works once.', 'Ссылка действует один раз.'],
  inviteLogin:      ['From now on you sign in with the login {login} and this password.', 'Теперь вы входите с логином {login} и этим паролем.'],
  passwordLength:   ['A password has 8 to 1,000 characters.', 'В пароле от 8 до 1000 символов.'],
  passwordNotYours: ['This is not your password. Check the keyboard language and Caps Lock.', 'Это не ваш пароль. Проверьте раскладку и Caps Lock.'],
  newPassword:      ['New password', 'Новый пароль'],
  inviteInvalid:    ['This link is unknown, used or too old. Ask an administrator for another one.', 'Эта ссылка неизвестна, уже использована или устарела. Попросите у администратора другую.'],
  sessionEnded:     ['Your session has ended. Sign in again: you return to the same page.', 'Сеанс закончился. Войдите ещё раз: вы вернётесь на ту же страницу.'],
  sessionKept:      ['What was not saved is kept.', 'Несохранённое не потеряно.'],
  signOut:          ['Sign out', 'Выйти'],
  notSignedOut:     ['You are still signed in. {detail}', 'Вы всё ещё в системе. {detail}'],
} as const satisfies Texts
