/**
 * The seed of every random test of this run, from 0 to 2^31 - 1. `npm test` chooses and prints it: always the same where CI is
 * set, otherwise a new one each time. KARTOTEKA_TEST_SEED repeats a run.
 */
export const seed = Number(process.env['KARTOTEKA_TEST_SEED'] ?? 1)
