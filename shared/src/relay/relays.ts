/** The relay of each service, with the categories of the aggregates that the service owns. */
export const relays = {
  template: ['template', 'partial'],
  renderer: ['generation'],
  notifier: ['delivery', 'endpoint'],
} as const satisfies Record<string, readonly string[]>
export type RelayName = keyof typeof relays

/** Its key in the bucket CHECKPOINTS, and the name of its lease. */
export const relayKey = (service: RelayName) => `relay.${service}`
