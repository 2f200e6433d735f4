import { join } from 'node:path'

/**
 * A file in the data folder of `npm start`, whose NATS stops with it: the next start claims that NATS and the object store.
 * `platen restore` and `platen deployment claim` make it.
 */
export const claimFile = (dataDir: string) => join(dataDir, 'claim-deployment')
