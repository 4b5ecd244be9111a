import type { Template } from './template.ts'

/* The template of customers: companies, people, deals and tasks with their links. Names, addresses and numbers are made up. */

/** The heading of how to reach somebody. */
const CONTACTS = ['How to reach', 'Как связаться'] as const

// prettier-ignore
export const customers: Template = {
  category: ['Customers', 'Клиенты'],
  about: ['Who you sell to, and how each sale is going.', 'Кому вы продаёте и на каком шаге каждая сделка.'],
  tables: [
    {
      key: 'companies', name: ['Companies', 'Компании'], icon: 'company',
      fields: [
        { key: 'name', name: ['Name', 'Название'], type: 'text', required: true },
        { key: 'trade', name: ['Trade', 'Отрасль'], type: 'list', options: [['Retail', 'Розница'], ['Food', 'Продукты'], ['Building', 'Строительство'], ['Transport', 'Перевозки'], ['Services', 'Услуги']] },
        { key: 'state', name: ['State', 'Состояние'], type: 'list', options: [['New', 'Новый'], ['Customer', 'Клиент'], ['Asleep', 'Спящий']] },
        { key: 'city', name: ['City', 'Город'], type: 'text' },
        { key: 'phone', name: ['Phone', 'Телефон'], type: 'phone', section: CONTACTS },
        { key: 'email', name: ['E-mail', 'Почта'], type: 'email', section: CONTACTS },
        { key: 'site', name: ['Website', 'Сайт'], type: 'url', section: CONTACTS },
        { key: 'since', name: ['Customer since', 'Клиент с'], type: 'date' },
        { key: 'note', name: ['Note', 'Заметка'], type: 'longtext' },
      ],
    },
    {
      key: 'people', name: ['People', 'Люди'], icon: 'users',
      fields: [
        { key: 'name', name: ['Name', 'Имя'], type: 'text', required: true },
        { key: 'company', name: ['Company', 'Компания'], type: 'reference', to: 'companies' },
        { key: 'position', name: ['Position', 'Должность'], type: 'text' },
        { key: 'phone', name: ['Phone', 'Телефон'], type: 'phone', section: CONTACTS },
        { key: 'email', name: ['E-mail', 'Почта'], type: 'email', section: CONTACTS },
        { key: 'birthday', name: ['Birthday', 'День рождения'], type: 'date' },
        { key: 'note', name: ['Note', 'Заметка'], type: 'longtext' },
      ],
    },
    {
      key: 'deals', name: ['Deals', 'Сделки'], icon: 'deal',
      fields: [
        { key: 'title', name: ['Title', 'Название'], type: 'text', required: true },
        { key: 'company', name: ['Company', 'Компания'], type: 'reference', to: 'companies' },
        { key: 'person', name: ['Person', 'Контакт'], type: 'reference', to: 'people' },
        { key: 'stage', name: ['Stage', 'Этап'], type: 'list', options: [['New', 'Новая'], ['Offer', 'Предложение'], ['Talks', 'Переговоры'], ['Won', 'Выиграна'], ['Lost', 'Проиграна']] },
        { key: 'sum', name: ['Sum', 'Сумма'], type: 'decimal' },
        { key: 'close', name: ['Expected on', 'Ожидается'], type: 'date' },
        { key: 'note', name: ['Note', 'Заметка'], type: 'longtext' },
      ],
    },
    {
      key: 'tasks', name: ['Tasks', 'Задачи'], icon: 'task',
      fields: [
        { key: 'title', name: ['What to do', 'Что сделать'], type: 'text', required: true },
        { key: 'due', name: ['Due', 'Срок'], type: 'date' },
        { key: 'done', name: ['Done', 'Сделано'], type: 'boolean' },
        { key: 'deal', name: ['Deal', 'Сделка'], type: 'reference', to: 'deals' },
        { key: 'person', name: ['Person', 'Контакт'], type: 'reference', to: 'people' },
      ],
    },
  ],
  samples: [
    { key: 'c1', table: 'companies', values: { name: ['Blue Heron Café', 'Кафе «Синяя цапля»'], trade: { option: 1 }, state: { option: 1 }, city: ['Bristol', 'Тверь'], phone: '+44 117 496 0101', email: 'hello@heron.example', site: 'https://heron.example', since: { day: -820 } } },
    { key: 'c2', table: 'companies', values: { name: ['Lagoa Boats', '«Лагуна», лодки'], trade: { option: 3 }, state: { option: 0 }, city: ['Plymouth', 'Рыбинск'], phone: '+44 1632 960 202', email: 'office@lagoa.example' } },
    { key: 'c3', table: 'companies', values: { name: ['Porto Bikes', 'Велосипеды «Порто»'], trade: { option: 0 }, state: { option: 1 }, city: ['York', 'Казань'], site: 'https://porto.example', since: { day: -300 } } },
    { key: 'c4', table: 'companies', values: { name: ['Fir & Pine Builders', 'Стройка «Ель и сосна»'], trade: { option: 2 }, state: { option: 2 }, city: ['Leeds', 'Вологда'], phone: '+44 113 496 0404', note: ['Asked to be called in spring.', 'Просили позвонить весной.'] } },
    { key: 'p1', table: 'people', values: { name: ['Maria Long', 'Мария Долгова'], position: ['Owner', 'Владелица'], phone: '+44 117 496 0102', email: 'maria@heron.example' }, links: { company: 'c1' } },
    { key: 'p2', table: 'people', values: { name: ['Ivor Reed', 'Игорь Камышов'], position: ['Purchasing', 'Закупки'], email: 'ivor@lagoa.example' }, links: { company: 'c2' } },
    { key: 'p3', table: 'people', values: { name: ['Nora Bell', 'Нора Звонова'], position: ['Director', 'Директор'], phone: '+44 1904 960 303' }, links: { company: 'c3' } },
    { key: 'p4', table: 'people', values: { name: ['Sam Oakes', 'Семён Дубов'], position: ['Foreman', 'Прораб'] }, links: { company: 'c4' } },
    { key: 'd1', table: 'deals', values: { title: ['Coffee for the summer', 'Кофе на лето'], stage: { option: 2 }, sum: '12450.00', close: { day: 12 } }, links: { company: 'c1', person: 'p1' } },
    { key: 'd2', table: 'deals', values: { title: ['Forty life jackets', 'Сорок жилетов'], stage: { option: 1 }, sum: '8400.00', close: { day: 25 } }, links: { company: 'c2', person: 'p2' } },
    { key: 'd3', table: 'deals', values: { title: ['Ten bicycles', 'Десять велосипедов'], stage: { option: 3 }, sum: '21900.50', close: { day: -8 } }, links: { company: 'c3', person: 'p3' } },
    { key: 'd4', table: 'deals', values: { title: ['Helmets', 'Шлемы'], stage: { option: 0 }, sum: '3150.00', close: { day: 40 } }, links: { company: 'c3', person: 'p3' } },
    { key: 't1', table: 'tasks', values: { title: ['Send the offer', 'Отправить предложение'], due: { day: 1 }, done: '0' }, links: { deal: 'd2', person: 'p2' } },
    { key: 't2', table: 'tasks', values: { title: ['Call about the date of delivery', 'Позвонить о дате поставки'], due: { day: 3 }, done: '0' }, links: { deal: 'd1', person: 'p1' } },
    { key: 't3', table: 'tasks', values: { title: ['Sign the contract', 'Подписать договор'], due: { day: -9 }, done: '1' }, links: { deal: 'd3', person: 'p3' } },
  ],
}
