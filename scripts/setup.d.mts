export function ensureOpenapiTools(): string
