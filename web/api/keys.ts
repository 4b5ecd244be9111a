/** A key that nothing else has, for Idempotency-Key too. Not crypto.randomUUID: browsers have that behind https alone. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
