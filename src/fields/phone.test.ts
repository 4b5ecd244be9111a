import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { plain } from './field-type.ts'
import { normalForm, phoneCountries } from './forms/phone-numbers.ts'
import { phonePlans } from './forms/phone-plans.ts'
import { phone } from './phone.ts'

describe('phone', () => {
  it('is compared by its digits', () => {
    assert.equal(phone.key!('+7 (900) 123-45-67', plain), '79001234567')
    assert.equal(phone.key!('8 (900) 123-45-67', plain), '89001234567')
    assert.equal(phone.key!('', plain), '')
    assert.deepEqual(phone.beginnings!('8900', plain), [])
  })
  it('is searched by digits', () => {
    assert.equal(phone.part!('(900) 1'), '9001')
    assert.equal(phone.part!(''), '')
  })
  it('is not searched by what has no digit, which would find every number', () => {
    for (const text of ['abc', '+', ' ']) {
      assert.throws(() => phone.part!(text), { code: 'field.invalid_value' })
      assert.throws(() => phone.literal!(text, plain, { timeZone: 'UTC' }), { code: 'field.invalid_value' })
    }
  })
})

describe('phone, for a country', () => {
  const key = (text: string, phoneCountry: string) => phone.key!(text, { ...plain, phoneCountry })

  it('is compared by its international normal form', () => {
    for (const [country, normal, ...forms] of [
      [
        'RU',
        '79001234567',
        '+7 900 123-45-67',
        '8 (900) 123-45-67',
        '8-900-1234567',
        '900 123 45 67',
        '79001234567',
        '007 900 123-45-67',
        '8107 900 1234567',
      ],
      ['RU', '74951234567', '(495) 123-45-67', '+7(495)1234567', '84951234567'],
      ['RU', '493012345678', '+49 30 12345678', '+49 (0)30 12345678', '8 10 49 30 12345678', '0049 30 12345678', '49 30 12345678'],
      ['RU', '101', '101', '1-01'],
      ['RU', '112', '112', '+112'],
      ['RU', '1234567', '123-45-67'],
      ['RU', '81312345678', '+81 3 1234 5678', '81312345678', '8 131 234-56-78'],
      [
        'RU',
        '7900123456712',
        '+7 900 123-45-67 доб. 12',
        '8 900 123-45-67 ext 12',
        '8 900 123-45-67#12',
        '900 1234567 x12',
        '8 900 1234567;12',
      ],
      ['RU', '8900', '8 900'],
      ['DE', '49307432', '+49 30 7432', '030 7432', '(030) 7432', '0049 30 7432', '+49 (0)30 7432', '+49 030 7432'],
      ['DE', '7432', '7432'],
      ['GB', '442079460958', '020 7946 0958', '+44 (0)20 7946 0958', '00 44 20 79460958'],
      ['US', '12125551234', '(212) 555-1234', '1-212-555-1234', '+1 212 555 1234', '011 1 212 555 1234'],
      ['US', '442079460958', '011 44 20 7946 0958'],
      ['US', '5551234', '555-1234'],
      ['IT', '390612345678', '06 1234 5678', '+39 06 1234 5678', '0039 06 12345678'],
      ['BY', '375291234567', '8 029 123-45-67', '+375 29 123-45-67', '80291234567', '029 1234567'],
      ['HU', '3612345678', '06 1 234 5678', '+36 1 234 5678'],
      ['FR', '33612345678', '06 12 34 56 78', '6 12 34 56 78', '+33 6 12 34 56 78', '+33 (0)6 12 34 56 78'],
      ['CN', '8613800138000', '138 0013 8000', '+86 138 0013 8000'],
      ['', '89001234567', '8 900 123 45 67'],
      ['', '', ''],
      ['RU', '', ''],
    ] as const)
      for (const form of forms) assert.equal(key(form, country), normal, `${form} in ${country}`)
  })

  const country = fc.constantFrom(...phoneCountries)
  const number = fc.string({
    unit: fc.constantFrom(...'0123456789', '+7', '+49', '8', '00', ' ', '-', '(', ')', ' ext ', '#', ','),
    maxLength: 18,
  })

  it('has digits as its key, and none only where there are none', () =>
    fc.assert(fc.property(number, country, (text, of) => assert.match(key(text, of), /\d/.test(text) ? /^\d+$/ : /^$/))))

  it('does not depend on blanks, brackets and hyphens', () =>
    fc.assert(fc.property(number, country, (text, of) => assert.equal(key(text.replace(/[ ()-]/g, ''), of), key(text, of)))))

  it('is the same again for the normal form of an international number, in every country', () =>
    fc.assert(
      fc.property(number, country, country, (text, of, other) => {
        const normal = key(`+${text}`, of)
        if (/[#,e]/.test(text)) return
        assert.equal(key(`+${normal}`, other), normal)
      }),
    ))

  it('is the same however a national number is written', () =>
    fc.assert(
      fc.property(country, fc.nat(), fc.nat(), fc.nat(), (of, seed, more, place) => {
        const { code, trunks, international, lengths, bare, least } = phonePlans.get(of)!
        const length = [...lengths][place % lengths.size]!
        const first = Math.max(Number(least), 1) + (seed % (10 - Math.max(Number(least), 1)))
        const national = (String(first) + String(more).padEnd(length, '7')).slice(0, length)
        const normal = code + national
        assert.equal(key(`+${normal}`, of), normal)
        // No national number begins so, with its trunk prefix or without it: it would be taken for an international one.
        const isNational = (text: string) => !international.some((prefix) => text.startsWith(prefix))
        for (const trunk of trunks)
          if (isNational(trunk + national)) assert.equal(key(trunk + national, of), normal, `${trunk} ${national} in ${of}`)
        for (const prefix of international)
          if (normal.length >= 7) assert.equal(key(prefix + normal, of), normal, `${prefix} ${normal} in ${of}`)
        if (bare.has(length) && isNational(national)) assert.equal(key(national, of), normal, `${national} in ${of}`)
      }),
    ))

  it('is found by the beginning of any form', () =>
    fc.assert(
      fc.property(number, country, fc.nat(20), (text, of, size) => {
        const part = text.slice(0, size)
        const { trunks, international } = phonePlans.get(of)!
        // A part that ends within a prefix finds nothing of what follows it.
        const digits = part.replace(/\D/g, '')
        if (digits === '' || [...trunks, ...international].some((prefix) => prefix.startsWith(digits))) return
        if (part.includes('+') && digits.length < 4) return
        const settings = { ...plain, phoneCountry: of }
        const begins = [phone.part!(part), ...phone.beginnings!(part, settings)]
        assert.ok(
          begins.some((one) => key(text, of).startsWith(one)),
          `${JSON.stringify(text)} by ${JSON.stringify(part)} in ${of}: ${key(text, of)}, ${begins.join(' ')}`,
        )
      }),
    ))

  it('has a plan for each country that no other prefix contradicts', () => {
    for (const [country, { code, trunks, international, lengths, bare }] of phonePlans) {
      assert.match(country, /^[A-Z]{2}$/)
      assert.match(code, /^[1-9]\d{0,2}$/)
      for (const prefix of [...trunks, ...international]) assert.match(prefix, /^\d{1,4}$/, country)
      assert.ok(lengths.size > 0 && [...bare].every((one) => lengths.has(one)), country)
      assert.ok(
        [...lengths].every((one) => one >= 4 && one + code.length <= 15),
        country,
      )
    }
    assert.equal(normalForm('101', 'RU'), '101')
  })

  it('has the plans by which stored keys were made: another plan of a country needs a migration that writes them again', () => {
    const rows = [...phonePlans].map(([country, plan]) => [
      country,
      ...Object.values(plan).map((one) => (one instanceof Set ? [...one] : one)),
    ])
    assert.equal(createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16), 'cff93f3389c69550')
  })
})
