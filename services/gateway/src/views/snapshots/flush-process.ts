import { fsyncSync } from 'node:fs'

/** The file is inherited, so that the kernel tells an earlier failure to write it. */
const inherited = 3

fsyncSync(inherited)
