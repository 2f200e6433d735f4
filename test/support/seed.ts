/**
 * The seed of all random input of a run of the tests, which its report names: `npm test -- --seed <n>` repeats it. 1 for
 * a file that is run by itself.
 */
export const seed = Number(process.env.TEST_SEED ?? 1)
