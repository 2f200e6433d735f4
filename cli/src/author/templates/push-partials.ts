import type { PartialAnswer } from '@platen/domain/partial/partial.ts'
import { partialId } from '@platen/domain/partial/read-partial.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { askService } from '../../frame/ask-service.ts'
import type { CommandContext } from '../../frame/command.ts'
import { type OwnedPartial, readPartials } from '../partials/read-partials.ts'
import { type PartialFile, readPartialFiles, recordVersions } from './partial-files.ts'

export interface PushedPartial {
  id: string
  name: string
  version: number
  change: 'created' | 'updated'
}

/**
 * Creates or updates the partials whose files were changed, those that others call first. Throws if one was changed since it
 * was pulled, unless `force`, and the refusal of the template service.
 */
export async function pushPartials(
  { openStore, openBus }: Pick<CommandContext, 'openStore' | 'openBus'>,
  folder: string,
  { ownerId, force }: { ownerId: string; force: boolean },
): Promise<PushedPartial[]> {
  const files = await readPartialFiles(folder)
  if (files.length === 0) return []
  const stored = new Map((await readPartials(await openStore(), ownerId)).map((partial) => [partial.name, partial]))
  const pushed: PushedPartial[] = []
  for (const file of files) {
    const before = stored.get(file.name)
    if (before?.html === file.html) continue
    if (before && !force && file.version !== undefined && file.version !== before.version) {
      throw new Error(
        `the partial ${file.name} is at version ${before.version} and was pulled at ${file.version}; pull it again, or add --force`,
      )
    }
    const saved = await save(await openBus(), ownerId, file, before)
    await recordVersions(folder, [saved])
    pushed.push(saved)
  }
  return pushed
}

async function save(
  bus: Bus,
  owner_id: string,
  { name, html }: PartialFile,
  before: OwnedPartial | undefined,
): Promise<PushedPartial> {
  const partial_id = partialId(owner_id, name)
  const command = before
    ? { type: 'UpdatePartial', data: { partial_id, owner_id, html, if_version: before.version } }
    : { type: 'CreatePartial', data: { partial_id, owner_id, name, html } }
  const { revision } = await askService<PartialAnswer>(bus, {
    subject: commandSubjects.template(partial_id),
    command: { ...command, metadata: operatorMetadata() },
    service: 'template service',
  })
  return { id: partial_id, name, version: revision + 1, change: before ? 'updated' : 'created' }
}
