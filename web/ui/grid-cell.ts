/* The cell of the grid that Tab reaches: the chosen one. */

/** Undefined: there is no grid, or its list has not come. */
export const gridCell = (): HTMLElement | undefined => document.querySelector<HTMLElement>('.grid-sheet .cell[tabindex="0"]') ?? undefined

/** The focus goes to it, where it is there. */
export const toGrid = (): void => gridCell()?.focus({ preventScroll: true })
