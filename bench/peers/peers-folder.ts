import { homedir } from 'node:os'
import { join } from 'node:path'

const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env

/** Software of other projects is installed outside the repository. */
export const jsreportFolder = join(XDG_CACHE_HOME, 'platen-bench', 'jsreport')
export const jsreportVersion = '4.14.2'
