import { EventStoreDBClient } from '@eventstore/db-client'
import { connectionStringTo, type EventStoreDbConnection, type Node } from './url.ts'

/** A client of one node. It connects on its first call. */
export function connect(node: Node, connection: EventStoreDbConnection): EventStoreDBClient {
  const { warn } = console
  // The client warns of a keep-alive below 10 s, which is what finds a suspended leader in time.
  console.warn = () => {}
  try {
    return EventStoreDBClient.connectionString(connectionStringTo(node, connection))
  } finally {
    console.warn = warn
  }
}
