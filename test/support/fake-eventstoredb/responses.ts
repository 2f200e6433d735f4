import { once } from 'node:events'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams, { type ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerWritableStream } from '@grpc/grpc-js'
import type { LoggedEvent } from './event-log.ts'

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>

/** .NET counts ticks of 100 ns. */
const ticksPerMs = 10_000n

export function eventResponse(event: LoggedEvent): ReadResp {
  const position = event.position.toString()
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata)
  recorded.getMetadataMap().set('type', event.type)
  recorded.getMetadataMap().set('content-type', event.contentType)
  recorded.getMetadataMap().set('created', (BigInt(event.created.getTime()) * ticksPerMs).toString())
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position)
  return new streams.ReadResp().setEvent(read)
}

export function notFoundResponse(stream: string): ReadResp {
  const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream))
  return new streams.ReadResp().setStreamNotFound(notFound)
}

export function confirmationResponse(): ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID())
  return new streams.ReadResp().setConfirmation(confirmation)
}

export function checkpointResponse(at: bigint): ReadResp {
  const position = at.toString()
  const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition(position)
  return new streams.ReadResp().setCheckpoint(checkpoint)
}

export function caughtUpResponse(): ReadResp {
  return new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())
}

/** Waits until the reader accepts more. Throws when it has disconnected. */
export async function send(call: ReadCall, response: ReadResp, gone: AbortSignal): Promise<void> {
  gone.throwIfAborted()
  if (!call.write(response)) await once(call, 'drain', { signal: gone })
}

function identifierOf(stream: string) {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream))
}
