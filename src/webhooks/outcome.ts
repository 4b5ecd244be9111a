/** What came of an attempt: the status that the receiver answered, whatever it is, or why there is none. */
export type Outcome =
  | { readonly status: number; /** Milliseconds, of 429 and 503. */ readonly retryAfter?: number | undefined }
  | { readonly fault: FaultCode; /** For the log of the operator: it may tell of their network. */ readonly detail: string }

/** Of a delivery that is withheld: looking for the filter of the webhook, or of rights, through the texts of the record takes too long. */
export const FILTER_TOO_SLOW = 'filter_too_slow'

export type FaultCode =
  /** The address cannot be one of a webhook, by today's settings. */
  | 'invalid_address'
  | 'unknown_host'
  /** The host has an address in a network that webhooks may not be sent to. */
  | 'forbidden_network'
  | 'connection_failed'
  | 'tls_failed'
  | 'timed_out'
  /** What came back is not HTTP, or too long. */
  | 'invalid_answer'
  /** This process ended the attempt, which does not count: another process makes it again. */
  | 'stopped'
