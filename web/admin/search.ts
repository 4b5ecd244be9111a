/** What the address of the designer says: which field is open, or that a new one is made. */
export interface DesignerSearch {
  readonly field?: number | 'new' | undefined
}

export const readDesigner = ({ field }: Record<string, unknown>): DesignerSearch => ({
  field: field === 'new' ? field : Number.isSafeInteger(field) && Number(field) > 0 ? Number(field) : undefined,
})

/** What the address of the webhooks says: which one is open, and which deliveries are shown. */
export interface WebhooksSearch {
  readonly webhook?: number | 'new' | undefined
  readonly show?: 'failed' | undefined
}

export const readWebhooks = ({ webhook, show }: Record<string, unknown>): WebhooksSearch => ({
  webhook: webhook === 'new' ? webhook : Number.isSafeInteger(webhook) && Number(webhook) > 0 ? Number(webhook) : undefined,
  show: show === 'failed' ? show : undefined,
})
