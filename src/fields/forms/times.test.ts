import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { datetime } from '../datetime.ts'
import { date } from '../date.ts'
import { plain } from '../field-type.ts'
import * as fc from '../../../test/support/fast-check.ts'

const read = (text: string, timeZone = 'UTC') => datetime.parse(text, plain, { timeZone })
const two = (number: number) => String(number).padStart(2, '0')

const forms = new Map<string, Intl.DateTimeFormat>()

/** The date and time that Intl gives for a moment in seconds since 1970. */
function shown(zone: string, seconds: number): string {
  const numeric = 'numeric' as const
  const options = { timeZone: zone, calendar: 'iso8601', hourCycle: 'h23', year: numeric, month: '2-digit', day: '2-digit' } as const
  const form = forms.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...options, hour: '2-digit', minute: '2-digit', second: '2-digit' })
  forms.set(zone, form)
  const parts = Object.fromEntries(form.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]))
  return `${parts['year']!.padStart(4, '0')}-${parts['month']}-${parts['day']} ${parts['hour']}:${parts['minute']}:${parts['second']}`
}

/** Seconds that a zone is ahead of UTC. */
const ahead = (zone: string, seconds: number): number => Date.parse(`${shown(zone, seconds).replace(' ', 'T')}Z`) / 1000 - seconds

/** The last second before the next change of the offset within half a year, and the first after it; none if it does not change. */
function changeAfter(zone: string, seconds: number): number[] {
  let [before, after] = [seconds, Math.min(seconds + 15_700_000, 253_402_200_000)]
  if (ahead(zone, before) === ahead(zone, after)) return []
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (ahead(zone, middle) === ahead(zone, before)) before = middle
    else after = middle
  }
  return [before, after]
}

describe('a date-time with an offset', () => {
  const cases: [zone: string, sent: string, stored: string][] = [
    ['Europe/Berlin', '2024-03-31T00:59:59Z', '2024-03-31 01:59:59'],
    ['Europe/Berlin', '2024-03-31T01:00:00Z', '2024-03-31 03:00:00'],
    ['Europe/Berlin', '2024-10-27T00:30:00Z', '2024-10-27 02:30:00'],
    ['Europe/Berlin', '2024-10-27T01:30:00Z', '2024-10-27 02:30:00'],
    ['Europe/Moscow', '2010-07-01T00:00:00Z', '2010-07-01 04:00:00'],
    ['Europe/Moscow', '2024-07-01T00:00:00Z', '2024-07-01 03:00:00'],
    ['Asia/Kathmandu', '2024-01-01T00:00:00Z', '2024-01-01 05:45:00'],
    ['America/New_York', '2024-01-01t00:00:00z', '2023-12-31 19:00:00'],
    ['Pacific/Kiritimati', '2024-12-31T12:00:00+02:00', '2025-01-01 00:00:00'],
    ['Australia/Lord_Howe', '2024-01-01T00:00:00Z', '2024-01-01 11:00:00'],
    ['Europe/Moscow', '1900-01-01T00:00:00Z', '1900-01-01 02:30:17'],
    ['UTC', '2024-05-01T00:30:00.5+01', '2024-04-30 23:30:00'],
    ['UTC', '2024-05-01 00:30-00:30', '2024-05-01 01:00:00'],
    ['UTC', '0001-01-01T05:00:00+05:00', '0001-01-01 00:00:00'],
    ['Asia/Tokyo', '0000-00-00T00:00:00Z', '0000-00-00 00:00:00'],
  ]
  for (const [zone, sent, stored] of cases) it(`${sent} is ${stored} in ${zone}`, () => assert.equal(read(sent, zone), stored))

  it('is refused where it falls out of the years 1 to 9999', () => {
    for (const sent of ['0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])
      assert.throws(() => read(sent), { code: 'field.invalid_value' })
    assert.equal(read('9999-12-31T23:59:59+00:01'), '9999-12-31 23:58:59')
    assert.throws(() => read('9999-12-31T23:00:00Z', 'Asia/Tokyo'), { code: 'field.invalid_value' })
  })

  it('is the wall clock of any zone at any moment', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const moment = fc.oneof(
      fc.integer({ min: -62_135_500_000, max: 253_402_200_000 }),
      // From 1840 on, since offsets did not change before.
      fc.integer({ min: -4_102_444_800, max: 4_102_444_800 }),
    )
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (zone, seconds) => {
        // Also the moments around the next change of the offset, found by bisection.
        const changed = changeAfter(zone, seconds)
        for (const at of [seconds, ...changed, ...changed.map((one) => one - 40_000), ...changed.map((one) => one + 40_000), ...changed]) {
          const iso = new Date(at * 1000).toISOString()
          if (/^\d{4}-/.test(iso)) assert.equal(read(iso, zone), shown(zone, at), `${iso} in ${zone}`)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('names the same moment as its ISO form does', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (seconds) => {
        const iso = new Date(seconds * 1000).toISOString()
        assert.equal(read(iso), iso.slice(0, 19).replace('T', ' '))
      }),
    )
  })
})

describe('a date-time without an offset', () => {
  it('is the wall clock, also in the hour that a zone leaves out', () =>
    assert.equal(read('2024-03-31 02:30:00', 'Europe/Berlin'), '2024-03-31 02:30:00'))

  it('is taken if and only if the calendar has it', () => {
    const part = fc.tuple(fc.nat(9999), fc.nat(13), fc.nat(32), fc.nat(25), fc.nat(61), fc.nat(61))
    fc.assert(
      fc.property(part, ([year, month, day, hour, minute, second]) => {
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
        const moment = new Date(Date.UTC(2000, month - 1, day, hour, minute, second))
        moment.setUTCFullYear(year, month - 1, day)
        const exists = year > 0 && moment.toISOString() === `${text.replace(' ', 'T')}.000Z`
        if (exists) assert.equal(datetime.format(read(text), plain), text)
        else if (text !== '0000-00-00 00:00:00') assert.throws(() => read(text), { code: 'field.invalid_value' })
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('bounds of a time', () => {
  const settings = { ...plain, min: '2024-01-01', max: '2024-12-31' }
  const context = { timeZone: 'UTC' }
  it('are in the range, and empty is never out of it', () => {
    for (const sent of ['2024-01-01', '2024-12-31', '']) date.parse(sent, settings, context)
    for (const sent of ['2023-12-31', '2025-01-01'])
      assert.throws(() => date.parse(sent, settings, context), { code: 'field.invalid_value' })
    assert.throws(() => datetime.parse('2024-12-31 00:00:01', settings, context), { code: 'field.invalid_value' })
  })
  it('do not bind the literals of filters', () => {
    assert.equal(date.literal!('1999-01-01', settings, context), '1999-01-01')
    assert.equal(datetime.literal!('1999-01-01', settings, context), '1999-01-01 00:00:00')
  })
})
