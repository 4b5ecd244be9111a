/** The hues of tokens.css so that those of neighbours are at least 80 degrees apart: a list has few options, and they are to be told apart at a glance. */
const ORDER = [9, 6, 2, 11, 4, 7, 1, 10, 5, 8, 3, 12]

/** The colour of the option at this place; -1: it is none. */
export const hueAt = (place: number): number => (place === -1 ? 0 : ORDER[place % ORDER.length]!)
