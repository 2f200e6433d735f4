import type { CommandClient, RequestedCommand } from './command-client.ts'

/**
 * A client that sends a command once while it is executed: repeated requests with an Idempotency-Key have the same command, and
 * get its answer or its refusal. Without this, many of them at once would wait for each other's slots.
 */
export function sharedCommands(client: CommandClient): CommandClient {
  const executing = new Map<string, Promise<unknown>>()
  return {
    async execute<Result>(requested: RequestedCommand) {
      const { id } = requested.command.metadata
      const shared = executing.get(id) ?? client.execute<Result>(requested).finally(() => executing.delete(id))
      executing.set(id, shared)
      return (await shared) as Result
    },
  }
}
