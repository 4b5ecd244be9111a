/** The last word of names of fields whose whole numbers name something, and count nothing. */
const NAMING: ReadonlySet<string> = new Set(
  'id no nr № number code year zip postcode ид идентификатор номер код год индекс инн кпп огрн огрнип бик снилс'.split(' '),
)

/** Whether a whole number is a name more than a quantity, so that it is read digit by digit: `orderID`, `Order no.`, `Year`. */
export function isNamingNumber({ title, isUnique }: { readonly title: string; readonly isUnique: boolean }): boolean {
  const words = title.split(/(?<=\p{Ll})(?=\p{Lu})|[^\p{L}\p{N}№]+/u).filter((word) => word !== '')
  return isUnique || NAMING.has(words.at(-1)?.toLowerCase() ?? '')
}
