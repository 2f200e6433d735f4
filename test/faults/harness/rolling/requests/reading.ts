import type { Client } from '../../client.ts'
import type { Seeded } from '../../seeded.ts'
import type { RequestKind } from '../mix.ts'

export interface Reading<Of> {
  /** Chooses what is read. */
  pick: (random: Seeded) => Of
  /** The statuses of right answers. */
  expected: number[]
}

/** Returns a function that makes the requests of an operation that only reads. */
export function reading<Of>(client: Client, { pick, expected }: Reading<Of>) {
  return (operation: string, share: number, path: (of: Of, random: Seeded) => string): RequestKind => ({
    operation,
    share,
    send: (random) =>
      client.send(random.pick(client.gateways), { operation, path: path(pick(random), random), expected }),
  })
}
