import { join } from 'node:path'

/**
 * A file in the data folder of `npm start`, whose NATS stops with it: the next start adopts that NATS and the object store.
 * `platen restore` and `platen deployment adopt` make it.
 */
export const adoptionFile = (dataDir: string) => join(dataDir, 'adopt-deployment')
