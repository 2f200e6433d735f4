import type { Envelope } from '@platen/shared/contracts/command.ts'
import type { RenderPdf } from '@platen/shared/contracts/generation.ts'
import type { Lane } from '@platen/shared/contracts/subjects.ts'
import { maxDeliveries } from '@platen/shared/messaging/consume.ts'
import { sendReply } from '@platen/shared/messaging/reply.ts'
import type { JsMsg, NatsConnection } from 'nats'
import { bareRequest } from './generation-log.ts'
import { type RenderParts, renderPdf } from './render-pdf.ts'

/** What one lane does with a render command, and with one that failed too often: `consume({ …, ...renderLane(…) })`. */
export function renderLane(parts: RenderParts, nats: NatsConnection, lane: Lane) {
  return {
    async handle(command: Envelope<RenderPdf>, raw: JsMsg): Promise<void> {
      sendReply(nats, raw, { ok: true, value: await renderPdf(parts, command, lane) })
    },
    async giveUp(command: Envelope<RenderPdf>, raw: JsMsg): Promise<void> {
      const { request } = command.data
      const message = `The document could not be rendered in ${maxDeliveries} attempts`
      const failure = { code: 'RENDER_FAILED', message } as const
      const decision = { type: 'FailGeneration', data: { request: bareRequest(request), failure } } as const
      sendReply(nats, raw, { ok: true, value: await parts.generations.end(request.generation_id, decision, command) })
    },
  }
}
