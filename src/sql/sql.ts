/** A value of a statement. bigint keeps 18-digit numbers exact. */
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

/** The parts with `between` (a literal such as ', ' or ' AND ') between them. */
export function join(parts: readonly Sql[], between: string): Sql {
  const chunks: Chunk[] = []
  for (let i = 0; i < parts.length; i++) {
    if (i > 0) chunks.push({ text: between })
    for (const chunk of parts[i]!.chunks) chunks.push(chunk)
  }
  return new Sql(chunks)
}

/** Values as parameters, with commas between them. */
export function parameters(values: readonly Param[]): Sql {
  const chunks: Chunk[] = []
  for (const param of values) {
    if (chunks.length > 0) chunks.push({ text: ', ' })
    chunks.push({ param })
  }
  return new Sql(chunks)
}

/** Joins one or more conditions by OR as a balanced tree: SQLite accepts 1,000 levels in an expression, and each OR in a chain is a level. */
export function anyOf(conditions: readonly Sql[]): Sql {
  if (conditions.length === 1) return conditions[0]!
  const middle = conditions.length >> 1
  return sql`(${anyOf(conditions.slice(0, middle))} OR ${anyOf(conditions.slice(middle))})`
}

/** The same query with one chunk if it has no parameters. It is faster to splice in again and again. */
export function asOneText(query: Sql): Sql {
  const { text, params } = render(query, () => '')
  return params.length > 0 ? query : new Sql([{ text }])
}

/** SQL text from the source, such as keywords and column types. Lint allows only a literal or the column of a field type. */
export const raw = (text: string): Sql => new Sql([{ text }])

/** A constant where SQL allows no parameter, as in a definition. Never a value from a client. */
export const constant = (value: string | number | bigint): Sql =>
  new Sql([{ text: typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value) }])

/** The same with its parameters as constants, for a definition. Never with a value from a client. */
export const asConstants = (query: Sql): Sql =>
  new Sql(query.chunks.flatMap((chunk) => ('text' in chunk ? [chunk] : constant(chunk.param ?? '').chunks)))

/** The statement's text with placeholders, and its parameters in order. */
export function render(query: Sql, placeholder: (n: number) => string): { text: string; params: Param[] } {
  const params: Param[] = []
  let text = ''
  for (const chunk of query.chunks) text += 'text' in chunk ? chunk.text : placeholder(params.push(chunk.param))
  return { text, params }
}
