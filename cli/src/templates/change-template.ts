import type { JsonObject } from '@platen/shared/contracts/json.ts'
import { commandSubjects } from '@platen/shared/contracts/subjects.ts'
import type { TemplateAnswer } from '@platen/shared/contracts/template.ts'
import { operatorMetadata } from '@platen/shared/event-store/handle-command.ts'
import type { Bus } from '@platen/shared/messaging/connection/bus.ts'
import { newId } from '@platen/shared/runtime/ids.ts'
import { askService } from '../frame/ask-service.ts'

export interface TemplateContent {
  name: string
  html: string
  sample_data: JsonObject
}

/** Resolves to the id and version of the new template. Throws the refusal of the template service. */
export function createTemplate(bus: Bus, ownerId: string, content: TemplateContent) {
  const template_id = newId('tpl')
  return send(bus, template_id, { type: 'CreateTemplate', data: { template_id, owner_id: ownerId, ...content } })
}

/** `ifVersion`: refused if the template is at another version. */
export function updateTemplate(
  bus: Bus,
  { id, ownerId, ifVersion }: { id: string; ownerId: string; ifVersion?: number | undefined },
  changes: TemplateContent,
) {
  const condition = ifVersion === undefined ? {} : { if_version: ifVersion }
  return send(bus, id, { type: 'UpdateTemplate', data: { template_id: id, owner_id: ownerId, changes, ...condition } })
}

async function send(bus: Bus, id: string, command: { type: string; data: unknown }) {
  const question = { subject: commandSubjects.template(id), command: { ...command, metadata: operatorMetadata() } }
  const { template_id, revision } = await askService<TemplateAnswer>(bus, { ...question, service: 'template service' })
  return { id: template_id, version: revision + 1 }
}
