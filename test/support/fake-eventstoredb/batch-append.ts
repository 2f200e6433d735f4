import { createRequire } from 'node:module'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import streams, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { handleBidiStreamingCall } from '@grpc/grpc-js'
import { type AppendHandling, bytesOf, maxAppendBytes, proposedEvent, streamNameOf } from './append.ts'
import type { Decision, Expectation, ProposedEvent } from './event-log.ts'

// google-protobuf is a dependency of the client.
const requireAsClient = createRequire(import.meta.resolve('@eventstore/db-client'))
const { Any } = requireAsClient('google-protobuf/google/protobuf/any_pb.js')

interface Batch {
  options: BatchAppendReq.Options | undefined
  proposed: ProposedEvent[]
}

/** The method the client uses for appends without credentials: one stream of requests for all appends. */
export function batchAppendHandler({ log, admit, isAnswered }: AppendHandling) {
  const handle: handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> = (call) => {
    const batches = new Map<string, Batch>()
    call.on('data', async (request: BatchAppendReq) => {
      const correlation = request.getCorrelationId()
      const id = correlation?.getString() ?? ''
      const batch = batches.get(id) ?? { options: request.getOptions(), proposed: [] }
      batches.set(id, batch)
      batch.proposed.push(...request.getProposedMessagesList().map(proposedEvent))
      if (!request.getIsFinal() || !batch.options) return
      batches.delete(id)
      const identifier = batch.options.getStreamIdentifier()
      const response = new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(identifier)
      if (bytesOf(batch.proposed) > maxAppendBytes) return call.write(response.setError(tooLarge()))
      try {
        admit(call.metadata, streamNameOf(identifier))
      } catch (err) {
        return call.emit('error', err)
      }
      const decision = await log.append(streamNameOf(identifier), batch.proposed, expectationOf(batch.options))
      if (decision.kind === 'deleted')
        return call.write(response.setError(error('StreamDeleted', new shared.StreamDeleted())))
      if (isAnswered() && decision.kind !== 'unanswered') call.write(answer(response, decision))
    })
    call.on('end', () => call.end())
  }
  return handle
}

function expectationOf(options: BatchAppendReq.Options): Expectation {
  if (options.hasStreamPosition()) return Number(options.getStreamPosition())
  if (options.hasNoStream()) return 'none'
  return options.hasStreamExists() ? 'exists' : 'any'
}

function answer(
  response: BatchAppendResp,
  decision: Exclude<Decision, { kind: 'unanswered' | 'deleted' }>,
): BatchAppendResp {
  if (decision.kind === 'wrong') {
    const wrong = new shared.WrongExpectedVersion()
    if (decision.current >= 0) wrong.setCurrentStreamRevision(String(decision.current))
    return response.setError(error('WrongExpectedVersion', wrong))
  }
  const position = decision.position.toString()
  const success = new streams.BatchAppendResp.Success()
    .setCurrentRevision(String(decision.revision))
    .setPosition(new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position))
  return response.setSuccess(success)
}

function tooLarge() {
  return error('MaximumAppendSizeExceeded', new shared.MaximumAppendSizeExceeded().setMaxappendsize(maxAppendBytes))
}

function error(name: string, details: { serializeBinary(): Uint8Array }) {
  const any = new Any()
  any.pack(details.serializeBinary(), `event_store.client.${name}`)
  return new statuses.Status().setMessage(name).setDetails(any)
}
