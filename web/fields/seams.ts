/** After what leads to the next part, and before what belongs to it. */
const SEAMS = /(?<=[@/?&=])(?![@/?&=])|(?<!^)(?=[.\-_])/u

/** The parts of an address between which it may go on in the next line. */
export const partsOf = (text: string): readonly string[] => text.split(SEAMS)

/** A web address without what nearly all of them begin with. */
export const shownAddress = (text: string): string => text.replace(/^https:\/\/(?=.)/i, '').replace(/^([^/?#]+)\/$/, '$1')
