/** A picture beside a word. The names are those of icons.css. */
export const Icon = ({ name, size }: { readonly name: string; readonly size?: 's' | 'l' }) => (
  <i className={`ico i-${name}${size ? ` ico-${size}` : ''}`} aria-hidden="true" />
)
