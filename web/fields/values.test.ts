import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayOrTime, readDate, readDateTime, writtenDate } from './dates.ts'
import { hasFraction, readNumber, showNumber } from './numbers.ts'

describe('numbers as people write them', () => {
  for (const [text, locale, scale, value] of [
    ['1 234,56', 'ru-RU', 2, '1234.56'],
    ['1 234,56', 'en-GB', 2, '1234.56'],
    ['1,234.56', 'en-GB', 2, '1234.56'],
    ['1.234,56', 'ru-RU', 2, '1234.56'],
    ['1,234', 'en-GB', 2, '1234.00'],
    ['1,234', 'ru-RU', 3, '1.234'],
    ['0,500', 'en-GB', 2, '0.50'],
    ['12,5', 'en-GB', 1, '12.5'],
    ['1,234,567', 'ru-RU', 0, '1234567'],
    ['−5', 'en-GB', 0, '-5'],
    ['.5', 'en-GB', 2, '0.50'],
    ['2.675', 'en-GB', 2, '2.68'],
    ['-0,004', 'ru-RU', 2, '0.00'],
    ['90071992547409931,07', 'ru-RU', 2, '90071992547409931.07'],
    ['=2*19,90', 'ru-RU', 2, '39.80'],
    ['=2*19,90', 'en-GB', 2, '39.80'],
    ['=(1+2)*3-4/8', 'en-GB', 2, '8.50'],
    ['=10/3', 'en-GB', 2, '3.33'],
    ['=-(2+3)', 'en-GB', 0, '-5'],
    ['=0,1+0,2', 'ru-RU', 2, '0.30'],
    ['=1 000 + 1', 'ru-RU', 0, '1001'],
    ['1 234,50 ₽', 'ru-RU', 2, '1234.50'],
    ['1 234,50 руб.', 'ru-RU', 2, '1234.50'],
    ['р. 12,5', 'ru-RU', 2, '12.50'],
    ['-$1,234.50', 'en-US', 2, '-1234.50'],
    ['€ -7', 'en-GB', 0, '-7'],
    ['', 'en-GB', 2, ''],
  ] as const)
    it(`'${text}' in ${locale}`, () => assert.equal(readNumber(text, locale, scale), value))

  it('tells a fraction from a whole number', () => {
    for (const [text, locale, has] of [
      ['1,5', 'ru-RU', true],
      ['1,5', 'en-GB', true],
      ['-0.4', 'en-GB', true],
      ['1.234', 'en-GB', true],
      ['1,234', 'ru-RU', true],
      ['=10/3', 'en-GB', true],
      ['5.0', 'en-GB', false],
      ['5,00 ₽', 'ru-RU', false],
      ['1,234', 'en-GB', false],
      ['1 234', 'ru-RU', false],
      ['=0.5*4', 'en-GB', false],
      ['abc', 'en-GB', false],
      ['', 'en-GB', false],
    ] as const)
      assert.equal(hasFraction(text, locale), has, `${text} ${locale}`)
  })

  it('refuses what is none, and what would take long', () => {
    for (const text of [
      'abc',
      '1,2,3.4.5',
      '1.2.3',
      '=',
      '=1+',
      '=(1',
      '=1/0',
      '=1)',
      '--',
      '12 apples',
      '$',
      '12 %',
      '1 $ 2',
      '=1e9',
      '1,23,456',
      `=${'('.repeat(300)}1`,
      '9'.repeat(201),
      `=${'99*'.repeat(60)}9`,
    ])
      assert.equal(readNumber(text, 'en-GB', 2), undefined, text)
    const begun = performance.now()
    readNumber(`=${'9*'.repeat(90)}9`, 'en-GB', 2)
    readNumber(`=${'1/7+'.repeat(45)}1`, 'en-GB', 2)
    assert.ok(performance.now() - begun < 1_000)
  })

  it('what is shown is read back as it was, in both languages', () => {
    let seed = 7
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    for (let i = 0; i < 5_000; i++) {
      const scale = Math.floor(random() * 5)
      const whole = String(Math.floor(random() * 10 ** Math.floor(random() * 15)))
      const part = scale === 0 ? '' : `.${String(Math.floor(random() * 10 ** scale)).padStart(scale, '0')}`
      const value = `${whole}${part}`
      const signed = random() < 0.5 && /[1-9]/.test(value) ? `-${value}` : value
      for (const locale of ['en-GB', 'en-US', 'ru-RU'])
        // A group of three figures alone is the same as a fraction of three: the fraction is written with its point.
        for (const isGrouped of [true, false])
          assert.equal(readNumber(showNumber(signed, locale, isGrouped), locale, scale), signed, `${signed} ${locale}`)
    }
  })
})

describe('dates as people write them', () => {
  const today = '2026-11-23'
  for (const [text, locale, value] of [
    ['2026-02-28', 'en-GB', '2026-02-28'],
    ['31.12.2024', 'ru-RU', '2024-12-31'],
    ['31/12/2024', 'en-GB', '2024-12-31'],
    ['12/31/2024', 'en-US', '2024-12-31'],
    ['31.12.24', 'ru-RU', '2024-12-31'],
    ['1.3', 'ru-RU', '2026-03-01'],
    ['tomorrow', 'en-GB', '2026-11-24'],
    ['Завтра', 'ru-RU', '2026-11-24'],
    ['вчера', 'en-GB', '2026-11-22'],
    ['+30', 'en-GB', '2026-12-23'],
    ['today-30', 'en-GB', '2026-10-24'],
    // 23 November 2026 is a Monday.
    ['Пятница', 'ru-RU', '2026-11-27'],
    ['в пятницу', 'ru-RU', '2026-11-27'],
    ['во вторник', 'ru-RU', '2026-11-24'],
    ['вс', 'ru-RU', '2026-11-29'],
    ['friday', 'en-GB', '2026-11-27'],
    ['on Sunday', 'en-US', '2026-11-29'],
    ['monday', 'en-GB', '2026-11-30'],
    ['через 3 дня', 'ru-RU', '2026-11-26'],
    ['Через 21 день', 'en-GB', '2026-12-14'],
    ['через неделю', 'ru-RU', '2026-11-30'],
    ['через 2 недели', 'ru-RU', '2026-12-07'],
    ['in 3 days', 'en-GB', '2026-11-26'],
    ['in a week', 'ru-RU', '2026-11-30'],
    ['in 10 weeks', 'en-GB', '2027-02-01'],
    ['2 days ago', 'en-GB', '2026-11-21'],
    ['3 дня назад', 'ru-RU', '2026-11-20'],
    ['31 дек 2026', 'ru-RU', '2026-12-31'],
    ['5 мая 2026 г.', 'ru-RU', '2026-05-05'],
    ['3 Mar', 'en-GB', '2026-03-03'],
    ['31-дек-24', 'ru-RU', '2024-12-31'],
    ['31.дек.24', 'ru-RU', '2024-12-31'],
    ['5 дек.', 'ru-RU', '2026-12-05'],
    ['31 дек. 2024 г.', 'ru-RU', '2024-12-31'],
    ['31.12.2024 0:00:00', 'ru-RU', '2024-12-31'],
    ['31/12/2024 00:00', 'en-GB', '2024-12-31'],
    ['', 'en-GB', ''],
  ] as const)
    it(`'${text}' in ${locale}`, () => assert.equal(readDate(text, locale, today), value))

  it('refuses days that do not exist, and other texts', () => {
    for (const text of [
      '31.02.2024',
      '32.1.2024',
      '0.1.2024',
      'soon',
      '31.12.2024 15:30',
      '2024',
      '2024-13-01',
      '99999',
      '1.2.3.4',
      'через день',
      '3 дня',
      'in 3 days ago',
      'через 99999 дней',
      'next friday',
      'завтра 9.30',
      `${'1'.repeat(100)}.1`,
    ])
      assert.equal(readDate(text, 'ru-RU', today), undefined, text)
  })

  it('reads times', () => {
    const now = `${today} 10:20:30`
    for (const [text, value] of [
      ['31.12.2024 9:05', '2024-12-31 09:05:00'],
      ['завтра 18:30', '2026-11-24 18:30:00'],
      ['2024-12-31T23:59:58', '2024-12-31 23:59:58'],
      ['31.12.2024', '2024-12-31 00:00:00'],
      ['14:00', '2026-11-23 14:00:00'],
      ['2 Mar 2026 3:15 pm', '2026-03-02 15:15:00'],
      ['now', now],
      ['пятница 9.30', '2026-11-27 09:30:00'],
      ['завтра в 9.05', '2026-11-24 09:05:00'],
      ['friday at 18:30', '2026-11-27 18:30:00'],
      ['через 3 дня 15:00', '2026-11-26 15:00:00'],
      ['31.12.2024 9.30', '2024-12-31 09:30:00'],
      ['5 мая 10.30', '2026-05-05 10:30:00'],
      ['9.30', '2026-11-23 09:30:00'],
      ['в 9.30', '2026-11-23 09:30:00'],
      ['в 9.10', '2026-11-23 09:10:00'],
      ['9:10', '2026-11-23 09:10:00'],
      ['9.10.26', '2026-10-09 00:00:00'],
      // No time.
      ['24.10', '2026-10-24 00:00:00'],
      ['9.1', '2026-01-09 00:00:00'],
      // What may be both is not guessed.
      ['9.10', undefined],
      ['09.10', undefined],
      ['12.12', undefined],
      ['24.30', undefined],
      ['завтра 9.60', undefined],
      ['25:00', undefined],
      ['31.12.2024 9:61', undefined],
    ] as const)
      assert.equal(readDateTime(text, 'ru-RU', now), value, text)
    assert.equal(readDateTime('9.30', 'en-US', now), undefined)
    assert.equal(readDateTime('9.45', 'en-US', now), `${today} 09:45:00`)
  })

  it('tells the day of what may be a time', () => {
    for (const [text, locale, day] of [
      [' 9.10', 'ru-RU', '2026-10-09'],
      ['9.10', 'en-US', '2026-09-10'],
      ['9.45', 'en-US', undefined],
      ['24.10', 'ru-RU', undefined],
      ['9.1', 'ru-RU', undefined],
      ['9/10', 'ru-RU', undefined],
      ['', 'ru-RU', undefined],
    ] as const)
      assert.equal(dayOrTime(text, locale, `${today} 10:20:30`), day, `${text} ${locale}`)
  })

  it('what is written into an editor is read back as it was', () => {
    for (const value of ['2024-02-29', '0999-01-01', '9999-12-31', '2026-11-23 10:20:30', '2026-01-02 00:00:00'])
      for (const locale of ['en-GB', 'en-US', 'ru-RU']) {
        const read = value.length > 10 ? readDateTime : readDate
        assert.equal(read(writtenDate(value, locale), locale, `${today} 00:00:00`.slice(0, value.length)), value, `${value} ${locale}`)
      }
    assert.equal(writtenDate('0000-00-00 00:00:00', 'ru-RU'), '')
  })
})
