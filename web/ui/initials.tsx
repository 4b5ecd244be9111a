/** A person's initials in a hue of their own. */
export function Initials({ name }: { readonly name: string }) {
  const letters = name
    .split(/\s+/)
    .flatMap((word) => [...word].slice(0, 1))
    .slice(0, 2)
    .join('')
    .toLocaleUpperCase()
  return (
    <i className="avatar" data-hue={hueOf(name)} aria-hidden="true">
      {letters}
    </i>
  )
}

/** One of the twelve hues, always the same for a text. */
const hueOf = (text: string): number => ([...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7) % 12) + 1
