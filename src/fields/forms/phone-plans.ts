/*
 * How the numbers of a country are written, for phone.ts. The table is frozen: stored keys depend on it, so a change of a row needs a
 * migration that writes the keys of phone fields again. It was compared with the metadata of libphonenumber-js 1.13.16 row by row.
 */

/** The national numbering plan of a country. */
export interface PhonePlan {
  /** The country code of ITU-T E.164. */
  readonly code: string
  /** What is dialled before a number for calls within the country, the longest first; none in many countries. */
  readonly trunks: readonly string[]
  /** What is dialled before the code of another country. */
  readonly international: readonly string[]
  /** How many digits national numbers have, without the trunk prefix. */
  readonly lengths: ReadonlySet<number>
  /** Those of numbers that are written without the trunk prefix. */
  readonly bare: ReadonlySet<number>
  /** The smallest digit with which a national number begins. */
  readonly least: string
}

type Row = readonly [code: string, trunks: string, international: string, lengths: string, bare?: string, least?: string]

/**
 * Without `bare`: the lengths, if numbers have no trunk prefix or all have one length; otherwise none, since digits without the prefix may
 * then be a local number. Countries that dialled 810 are changing to 00.
 */
// prettier-ignore
const rows: Readonly<Record<string, Row>> = {
  AE: ['971', '0', '00', '8-9'],            AL: ['355', '0', '00', '7-9'],            AM: ['374', '0', '00', '8'],
  AT: ['43', '0', '00', '4-13'],            AU: ['61', '0', '0011', '9'],             AZ: ['994', '0', '00', '9'],
  BA: ['387', '0', '00', '8-9'],            BD: ['880', '0', '00', '6-10'],           BE: ['32', '0', '00', '8-9'],
  BG: ['359', '0', '00', '7-9'],            BR: ['55', '0', '0014 0015 0021 0031 0041', '10-11', '10-11'],
  BY: ['375', '80 8 0', '810 00', '9'],     CA: ['1', '1', '011', '10', '10', '2'],   CH: ['41', '0', '00', '9'],
  CL: ['56', '', '', '9'],                  CN: ['86', '0', '00', '9-11', '11'],      CO: ['57', '0', '005 007 009', '10'],
  CY: ['357', '', '00', '8'],               CZ: ['420', '', '00', '9'],               DE: ['49', '0', '00', '5-13'],
  DK: ['45', '', '00', '8'],                DZ: ['213', '0', '00', '8-9'],            EC: ['593', '0', '00', '8-9'],
  EE: ['372', '', '00', '7-8'],             EG: ['20', '0', '00', '8-10'],            ES: ['34', '', '00', '9'],
  FI: ['358', '0', '00', '5-11'],           FR: ['33', '0', '00', '9'],               GB: ['44', '0', '00', '9-10'],
  GE: ['995', '0', '00', '9'],              GH: ['233', '0', '00', '9'],              GR: ['30', '', '00', '10'],
  HK: ['852', '', '001', '8'],              HR: ['385', '0', '00', '8-9'],            HU: ['36', '06', '00', '8-9'],
  ID: ['62', '0', '008 009', '8-12'],       IE: ['353', '0', '00', '7-9'],            IL: ['972', '0', '00', '8-9'],
  IN: ['91', '0', '00', '10'],              IQ: ['964', '0', '00', '8-10'],           IR: ['98', '0', '00', '10'],
  IS: ['354', '', '00', '7'],               IT: ['39', '', '00', '6-11', '6-11', '0'], JP: ['81', '0', '010', '9-10'],
  KE: ['254', '0', '000', '9'],             KG: ['996', '0', '00', '9'],              KR: ['82', '0', '001 002', '8-10'],
  KW: ['965', '', '00', '8'],               KZ: ['7', '8', '810 00', '10', '10', '3'], LI: ['423', '0', '00', '7-9', '7-9'],
  LK: ['94', '0', '00', '9'],               LT: ['370', '0 8', '00', '8'],            LU: ['352', '', '00', '6-9'],
  LV: ['371', '', '00', '8'],               MA: ['212', '0', '00', '9'],              MC: ['377', '', '00', '8'],
  MD: ['373', '0', '00', '8'],              ME: ['382', '0', '00', '8'],              MK: ['389', '0', '00', '8'],
  MN: ['976', '0', '001', '8-10', '8'],     MT: ['356', '', '00', '8'],               MX: ['52', '01', '00', '10'],
  MY: ['60', '0', '00', '8-10'],            NG: ['234', '0', '009', '10'],            NL: ['31', '0', '00', '9'],
  NO: ['47', '', '00', '8'],                NZ: ['64', '0', '00', '8-10'],            PE: ['51', '0', '00', '8-9', '9'],
  PH: ['63', '0', '00', '8-10'],            PK: ['92', '0', '00', '9-10'],            PL: ['48', '', '00', '9'],
  PT: ['351', '', '00', '9'],               QA: ['974', '', '00', '8'],               RO: ['40', '0', '00', '9'],
  RS: ['381', '0', '00', '7-9'],            RU: ['7', '8', '810 00', '10', '10', '3'], SA: ['966', '0', '00', '9'],
  SE: ['46', '0', '00', '7-10'],            SG: ['65', '', '001 008', '8'],           SI: ['386', '0', '00', '8'],
  SK: ['421', '0', '00', '9'],              TH: ['66', '0', '001', '8-9'],            TJ: ['992', '', '810 00', '9'],
  TM: ['993', '8', '810 00', '8'],          TN: ['216', '', '00', '8'],               TR: ['90', '0', '00', '10'],
  TW: ['886', '0', '002', '8-9'],           UA: ['380', '0', '00', '9'],              US: ['1', '1', '011', '10', '10', '2'],
  UZ: ['998', '', '00', '9'],               VE: ['58', '0', '00', '10'],              VN: ['84', '0', '00', '9-10'],
  ZA: ['27', '0', '00', '9'],
}

/** '8-10': 8, 9 and 10. */
function lengthsOf(text: string): ReadonlySet<number> {
  const [least, most = least] = text.split('-').map(Number) as [number, number?]
  return new Set(Array.from({ length: most - least + 1 }, (_, i) => least + i))
}

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')

function planOf([code, trunks, international, lengths, bare, least = '1']: Row): PhonePlan {
  const unambiguous = trunks === '' || !lengths.includes('-') ? lengths : undefined
  const withoutTrunk = bare ?? unambiguous
  return {
    code,
    trunks: words(trunks),
    international: words(international),
    lengths: lengthsOf(lengths),
    bare: withoutTrunk === undefined ? new Set() : lengthsOf(withoutTrunk),
    least,
  }
}

/** By the two letters of ISO 3166-1. */
export const phonePlans: ReadonlyMap<string, PhonePlan> = new Map(Object.entries(rows).map(([country, row]) => [country, planOf(row)]))

/** The codes of countries in which 0 is the trunk prefix: it is often written behind the code, +44 (0)20, and is no part of the number. */
export const codesBeforeZero: ReadonlySet<string> = new Set(
  [...phonePlans.values()].filter(({ trunks }) => trunks.includes('0')).map(({ code }) => code),
)
