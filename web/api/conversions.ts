import { queryOptions } from '@tanstack/react-query'
import { ApiError, send, type Resource } from './client.ts'
import { jobs } from './jobs.ts'
import { queries } from './queries.ts'

/* Another type for a field of a table with many records: a job converts the values, while others write. */

/** Records of a table from which on a job converts them: one request would keep others from writing for some seconds. */
export const BY_JOB = 20_000

const keyOf = (field: string) => `kartoteka.conversion.${field}`

/** The job that converts a field, as this window remembers it; it may have ended. */
export const conversionOf = (field: string): string | undefined => stored(() => sessionStorage.getItem(keyOf(field))) ?? undefined

export const forgetConversion = (field: string): void => stored(() => sessionStorage.removeItem(keyOf(field)))

/** What another type would do to the values of a field. */
export interface Foretold {
  /** Values, also of records in the trash, that become those of the other type; and those of them that lose something. */
  readonly converted: number
  readonly lost: number
  readonly examples_lost: readonly { readonly record_id: string; readonly value: string }[]
}

/** Nothing is changed by asking. Of a large table it takes its time, and ends where nobody waits any more. */
export const foretold = (field: string, attributes: object) =>
  queryOptions({
    queryKey: ['foretold', field, attributes],
    queryFn: async ({ signal }) => {
      const body = { data: { type: 'field', id: field, attributes } }
      return (await send<never>('PATCH', `field/${field}?dryRun=true`, body, signal)).meta as unknown as Foretold
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })

/** Asks for the job; undefined: this change is not made by one. @throws ApiError */
export async function convertByJob(field: string, attributes: object, isLossy: boolean): Promise<string | undefined> {
  const body = { data: { type: 'field', id: field, attributes } }
  try {
    const { data } = await send<Resource>('PATCH', `field/${field}?asJob=true${isLossy ? '&convertMode=lossy' : ''}`, body)
    stored(() => sessionStorage.setItem(keyOf(field), data.id))
    void queries.invalidateQueries({ queryKey: jobs.queryKey })
    return data.id
  } catch (error) {
    if (error instanceof ApiError && error.code === 'field.not_by_job') return undefined
    throw error
  }
}

/** A browser may allow no storage. */
function stored<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
