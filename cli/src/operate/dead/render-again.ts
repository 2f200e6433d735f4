import { buffer } from 'node:stream/consumers'
import type { RenderPdf } from '@platen/domain/generation/generation.ts'
import { commandSubjects, objectKeys } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import { ObjectNotFound } from '@platen/object-store/object-store.ts'
import type { CommandContext } from '../../frame/command.ts'

/**
 * Renders the document of a command again, as a new generation: one that has ended is never changed. Resolves to its id. The
 * webhook of the request is sent for the new one, too.
 */
export async function renderAgain(
  { openObjects }: Pick<CommandContext, 'openObjects'>,
  bus: Bus,
  { data }: Pick<Envelope<RenderPdf>, 'data'>,
): Promise<string> {
  const { request, input, input_key } = data
  const generation_id = newId('pdf')
  const metadata = { ...operatorMetadata(), api_key_id: request.api_key_id }
  let source: Partial<RenderPdf['data']> = { ...(input && { input }) }
  if (input_key !== undefined) {
    const key = objectKeys.input(generation_id)
    const objects = await openObjects()
    const stored = await objects
      .get(input_key)
      .then(buffer)
      .catch((err) => {
        if (!(err instanceof ObjectNotFound)) throw err
        throw new Error(`the input of ${request.generation_id} is no longer stored; send the request again`)
      })
    // A copy: the input of the earlier generation expires before this one is rendered, perhaps.
    await objects.put(key, stored, 'application/json')
    source = { input_key: key }
  }
  const command = {
    type: 'RenderPdf' as const,
    data: { request: { ...request, generation_id }, ...source },
    metadata,
  }
  await sendCommand(bus, { subject: commandSubjects.render('batch', request.owner_id, generation_id), command })
  return generation_id
}
