/* What a template is: one data file that says which tables are made, with which fields, links and sample records. */

/** In English and in Russian. */
export type Words = readonly [en: string, ru: string]

export interface Template {
  readonly category: Words
  readonly about: Words
  readonly tables: readonly TemplateTable[]
  /** In an order in which each refers to those before it. */
  readonly samples: readonly TemplateRecord[]
}

export interface TemplateTable {
  readonly key: string
  readonly name: Words
  readonly icon: string
  /** The first one is the title of records. */
  readonly fields: readonly TemplateField[]
}

export interface TemplateField {
  readonly key: string
  readonly name: Words
  readonly type: string
  readonly required?: true
  /** The heading under which a record shows it. */
  readonly section?: Words
  readonly options?: readonly Words[]
  /** The key of the table that it refers to. */
  readonly to?: string
}

export interface TemplateRecord {
  readonly key: string
  readonly table: string
  /** By the keys of fields. A number is a day, counted from today; an option is given by its place. */
  readonly values: Readonly<Record<string, string | Words | { readonly day: number } | { readonly option: number }>>
  /** The key of the record that a field refers to. */
  readonly links?: Readonly<Record<string, string>>
}

/** A value as a request sends it. */
export function valueOf(value: TemplateRecord['values'][string], field: TemplateField, language: 'en' | 'ru', today: Date): string {
  const at = language === 'ru' ? 1 : 0
  if (typeof value === 'string') return value
  if ('option' in value) return field.options![value.option]![at]
  if ('day' in value)
    return new Date(Date.UTC(today.getFullYear(), today.getMonth(), today.getDate() + value.day)).toISOString().slice(0, 10)
  return value[at]
}
