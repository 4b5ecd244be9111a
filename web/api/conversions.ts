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
