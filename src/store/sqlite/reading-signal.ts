/* What is told to a reading thread while it reads (reading-threads.ts). */

export const GO_ON = 0
/** Nobody waits for the answer any more. */
export const GONE = 1
/** Other questions wait: this one ends when its moment is over. */
export const OTHERS_WAIT = 2
