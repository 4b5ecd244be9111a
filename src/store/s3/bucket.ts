/*
 * Which bucket the operator chose, and the addresses of objects in it. An object has the path that the file has in a directory, so other
 * programs can copy one to the other. Keys are made of digests and fixed words only.
 */

/** A bucket, and what a request to it takes. */
export interface Bucket {
  /** Of the service: https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string
  readonly name: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** Before each key: '' or with a slash at its end. */
  readonly prefix: string
  /** Whether the bucket is the first word of the path, or of the host. */
  readonly addressing: 'path' | 'host'
}

/** The bytes of a file. */
export const keyOf = (hash: string): string => `${hash.slice(0, 2)}/${hash.slice(2)}`
/** Bytes that a sweep has put aside. */
export const asideOf = (hash: string): string => `removed/${keyOf(hash)}`
/** What was made from the bytes: the folder. */
export const smallOf = (hash: string): string => `small/${keyOf(hash)}/`

/** The hash of a file from its key, which another program may have written. */
export const hashOf = (key: string): string | undefined => /^([0-9a-f]{2})\/([0-9a-f]{62})$/.exec(key)?.slice(1).join('')
export const hashAside = (key: string): string | undefined => (key.startsWith('removed/') ? hashOf(key.slice(8)) : undefined)

/** The address of an object, or of the bucket where no key is given. */
export function addressOf({ endpoint, name, prefix, addressing }: Bucket, key?: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(endpoint)
  const folder = url.pathname.replace(/\/+$/, '')
  const path = key === undefined ? '' : prefix + key
  if (addressing === 'host') url.host = `${name}.${url.host}`
  url.pathname = addressing === 'host' ? `${folder}/${path}` : `${folder}/${name}${key === undefined ? '' : `/${path}`}`
  for (const [one, value] of Object.entries(query)) url.searchParams.set(one, value)
  return url
}

/** As the source of a copy within the bucket. */
export const sourceOf = ({ name, prefix }: Bucket, key: string): string => `/${name}/${prefix}${key}`
