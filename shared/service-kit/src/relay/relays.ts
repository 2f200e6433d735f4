/** The relay of each service, with the categories of the aggregates that the service owns. The gateway has none: it changes assets. */
export const relays = {
  template: ['template', 'label', 'partial', 'asset'],
  renderer: ['generation'],
  notifier: ['delivery', 'endpoint'],
} as const satisfies Record<string, readonly string[]>
export type RelayName = keyof typeof relays

/** Its key in the bucket CHECKPOINTS, and the name of its lease. */
export const relayKey = (service: RelayName) => `relay.${service}`
