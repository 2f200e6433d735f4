import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { TemplateAnswer } from '@platen/domain/template/template.ts'
import { authoredFields, type TemplateContent } from '@platen/domain/template/template-content.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { askService } from '../../frame/ask-service.ts'

/** What an author writes. The template service adds the pins of partials and assets. */
export type AuthoredContent = Omit<TemplateContent, 'partials' | 'assets'>

/** Each field that an author may leave out of the content, and therefore removes. */
const removed = Object.fromEntries(Object.keys(authoredFields).map((field) => [field, null]))

/** Resolves to the id and version of the new template. Throws the refusal of the template service. */
export function createTemplate(bus: Bus, ownerId: string, content: AuthoredContent) {
  const template_id = newId('tpl')
  return send(bus, template_id, { type: 'CreateTemplate', data: { template_id, owner_id: ownerId, ...content } })
}

/** Replaces the whole content: absent fields are removed. `ifVersion`: refused if the template is at another version. */
export function updateTemplate(
  bus: Bus,
  { id, ownerId, ifVersion }: { id: string; ownerId: string; ifVersion?: number | undefined },
  content: AuthoredContent,
) {
  const changes = { ...removed, ...content }
  const condition = ifVersion === undefined ? {} : { if_version: ifVersion }
  return send(bus, id, { type: 'UpdateTemplate', data: { template_id: id, owner_id: ownerId, changes, ...condition } })
}

/** Makes a version the newest again, also of a deleted template. */
export function restoreVersion(
  bus: Bus,
  { id, ownerId, version, ifVersion }: { id: string; ownerId: string; version: number; ifVersion: number },
) {
  const data = { template_id: id, owner_id: ownerId, version, if_version: ifVersion }
  return send(bus, id, { type: 'RestoreTemplate', data })
}

async function send(bus: Bus, id: string, command: { type: string; data: unknown }) {
  const question = { subject: commandSubjects.template(id), command: { ...command, metadata: operatorMetadata() } }
  const { template_id, revision } = await askService<TemplateAnswer>(bus, { ...question, service: 'template service' })
  return { id: template_id, version: revision + 1 }
}
