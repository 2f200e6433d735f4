/** Processes that test files of this process share. The runner of the tests leaves them running after each file. */
export const sharedProcesses = new Set<number>()
