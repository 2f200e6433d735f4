import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams, { type AppendReq, type AppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import { type handleClientStreamingCall, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { Decision, EventLog, Expectation, ProposedEvent } from './event-log.ts'

/** The server's default limit. */
export const maxAppendBytes = 1_048_576

export interface AppendHandling {
  log: EventLog
  /** The server's timeout for an append that it has dropped. */
  prepareTimeoutMs: number
  /** Called before each append. Throws the server's refusal. */
  admit: (metadata: Metadata, stream: string) => void
  /** Called after the events are written. False: the response is lost. */
  isAnswered: () => boolean
}

/** The unary append: first the options, then one message for each event. */
export function appendHandler({ log, prepareTimeoutMs, admit, isAnswered }: AppendHandling) {
  const handle: handleClientStreamingCall<AppendReq, AppendResp> = (call, callback) => {
    let options: AppendReq.Options | undefined
    const proposed: ProposedEvent[] = []
    call.on('data', (request: AppendReq) => {
      options ??= request.getOptions()
      const message = request.getProposedMessage()
      if (message) proposed.push(proposedEvent(message))
    })
    call.on('end', async () => {
      // A connection that is lost in the middle of the request ends it, too.
      if (call.cancelled) return
      if (!options || proposed.length === 0) return callback(failure(status.INVALID_ARGUMENT, 'Incomplete request'))
      if (bytesOf(proposed) > maxAppendBytes) return callback(tooLarge())
      try {
        admit(call.metadata, streamNameOf(options.getStreamIdentifier()))
      } catch (err) {
        return callback(err as ServiceError)
      }
      const expected = expectationOf(options)
      const decision = await log.append(streamNameOf(options.getStreamIdentifier()), proposed, expected)
      if (!isAnswered()) return
      if (decision.kind === 'deleted') return callback(streamDeleted(streamNameOf(options.getStreamIdentifier())))
      if (decision.kind !== 'unanswered') return callback(null, answerTo(decision, expected))
      const late = failure(status.ABORTED, 'Operation timed out: Prepare phase timeout.')
      setTimeout(callback, prepareTimeoutMs, late).unref()
    })
  }
  return handle
}

interface Proposal {
  getId(): shared.UUID | undefined
  getMetadataMap(): { get(key: string): string | undefined }
  getCustomMetadata_asU8(): Uint8Array
  getData_asU8(): Uint8Array
}

export function proposedEvent(message: Proposal): ProposedEvent {
  return {
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

export function streamNameOf(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString()
}

export function bytesOf(proposed: readonly ProposedEvent[]): number {
  return proposed.reduce((sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * type.length, 0)
}

export function failure(code: status, details: string, metadata = new Metadata()): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata })
}

export function streamDeleted(stream: string): ServiceError {
  const metadata = new Metadata()
  metadata.set('exception', 'stream-deleted')
  metadata.set('stream-name', stream)
  return failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, metadata)
}

function tooLarge(): ServiceError {
  const metadata = new Metadata()
  metadata.set('exception', 'maximum-append-size-exceeded')
  metadata.set('maximum-append-size', String(maxAppendBytes))
  return failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${maxAppendBytes} Exceeded.`, metadata)
}

function expectationOf(options: AppendReq.Options): Expectation {
  if (options.hasRevision()) return Number(options.getRevision())
  if (options.hasNoStream()) return 'none'
  return options.hasStreamExists() ? 'exists' : 'any'
}

function answerTo(decision: Exclude<Decision, { kind: 'unanswered' | 'deleted' }>, expected: Expectation): AppendResp {
  if (decision.kind === 'wrong') {
    return new streams.AppendResp().setWrongExpectedVersion(wrongVersion(decision.current, expected))
  }
  const position = decision.position.toString()
  const success = new streams.AppendResp.Success()
    .setCurrentRevision(String(decision.revision))
    .setPosition(new streams.AppendResp.Position().setCommitPosition(position).setPreparePosition(position))
  return new streams.AppendResp().setSuccess(success)
}

function wrongVersion(current: number, expected: Expectation): AppendResp.WrongExpectedVersion {
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  const empty = new shared.Empty()
  if (current < 0) wrong.setCurrentNoStream(empty)
  else wrong.setCurrentRevision(String(current))
  if (typeof expected === 'number') return wrong.setExpectedRevision(String(expected))
  if (expected === 'none') return wrong.setExpectedNoStream(empty)
  return expected === 'exists' ? wrong.setExpectedStreamExists(empty) : wrong.setExpectedAny(empty)
}
