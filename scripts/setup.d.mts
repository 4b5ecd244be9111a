export function ensureOpenapiTools(): string
export function ensureChromium(how?: { readonly isLight?: boolean }): string
export function ensureWeb(how: { readonly development: boolean }): void
export function orExplain<Result>(work: () => Result): Result
export const root: string
