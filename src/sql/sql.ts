/** What a statement can be given as a value. bigint keeps 18-digit numbers exact. */
export type Param = string | number | bigint | null
type Chunk = { readonly text: string } | { readonly param: Param }

/** A piece of SQL with its parameters. The only way to build SQL here: a value can never become text. */
export class Sql {
  readonly chunks: readonly Chunk[]
  constructor(chunks: readonly Chunk[]) {
    this.chunks = chunks
  }
}

/** sql`… ${value} …`: values become parameters, other pieces of SQL are spliced in. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | Param)[]): Sql {
  const chunks: Chunk[] = []
  for (let i = 0; i < strings.length; i++) {
    if (i > 0) {
      const part = parts[i - 1]
      if (part instanceof Sql) for (const chunk of part.chunks) chunks.push(chunk)
      else chunks.push({ param: part as Param })
    }
    chunks.push({ text: strings[i]! })
  }
  return new Sql(chunks)
}

/** A quoted identifier. */
export const name = (identifier: string): Sql => new Sql([{ text: `"${identifier.replaceAll('"', '""')}"` }])

/** The pieces one after the other with `between` (a literal such as ', ' or ' AND ') between them. */
export function join(parts: readonly Sql[], between: string): Sql {
  const chunks: Chunk[] = []
  for (let i = 0; i < parts.length; i++) {
    if (i > 0) chunks.push({ text: between })
    for (const chunk of parts[i]!.chunks) chunks.push(chunk)
  }
  return new Sql(chunks)
}

/** The same as one text, for what is spliced in again and again and has no parameters. */
export function asOneText(query: Sql): Sql {
  const { text, params } = render(query, () => '')
  return params.length > 0 ? query : new Sql([{ text }])
}

/** Keywords and types we wrote ourselves. Lint forbids passing it anything but a literal or a type's column. */
export const raw = (text: string): Sql => new Sql([{ text }])

/** A constant of our own in a definition, where no parameter can stand. Never given anything a client sent. */
export const constant = (value: string | number | bigint): Sql =>
  new Sql([{ text: typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value) }])

/** The statement's text with placeholders, and its parameters in order. */
export function render(query: Sql, placeholder: (n: number) => string): { text: string; params: Param[] } {
  const params: Param[] = []
  let text = ''
  for (const chunk of query.chunks) text += 'text' in chunk ? chunk.text : placeholder(params.push(chunk.param))
  return { text, params }
}
