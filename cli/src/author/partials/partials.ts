import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { isPartialName, partialIdPattern } from '@platen/domain/partial/partial.ts'
import { partialId, partialStream } from '@platen/domain/partial/read-partial.ts'
import { type Command, noArguments, onlyArgument, parseOptions } from '../../frame/command.ts'
import { readWhole } from '../../frame/history.ts'
import { alignColumns } from '../../frame/table.ts'
import { findOwner } from '../../operate/owners/owners.ts'
import { timeOfEvent } from '../../operate/trace/timeline.ts'
import { readPartials } from './read-partials.ts'

const json = { type: 'boolean', default: false } as const

export const listPartials: Command = {
  synopsis: '[--owner OWNER] [--json]',
  summary: 'list partials that are not deleted',
  async run({ openStore, args, print }) {
    const { values, positionals } = parseOptions(args, { owner: { type: 'string' }, json })
    noArguments(positionals)
    const store = await openStore()
    const ownerId = values.owner === undefined ? undefined : await findOwner(store, values.owner)
    const rows = (await readPartials(store, ownerId)).map(({ id, name, version, ownerId, html }) => ({
      id,
      name,
      version,
      owner_id: ownerId,
      bytes: Buffer.byteLength(html),
    }))
    if (values.json) for (const row of rows) print(JSON.stringify(row))
    else
      for (const line of alignColumns(
        rows.map(({ id, name, version, owner_id, bytes }) => [
          id,
          name,
          `version ${version}`,
          owner_id,
          `${bytes} bytes`,
        ]),
      ))
        print(line)
  },
}

export const partialHistory: Command = {
  synopsis: '<id or name> [--owner OWNER] [--json]',
  summary: 'list the versions of a partial: when, by which request, and what happened',
  details: ['--owner  the id or name of the owner (default: the default owner)'],
  async run({ openStore, args, print }) {
    const options = { owner: { type: 'string', default: defaultOwnerId }, json } as const
    const { values, positionals } = parseOptions(args, options)
    const name = onlyArgument(positionals, 'partial id or name')
    const store = await openStore()
    const ownerId = await findOwner(store, values.owner)
    if (!isPartialName(name)) throw new Error(`${name} is neither an id (prt_…) nor the name of a partial`)
    const id = partialIdPattern.test(name) ? name : partialId(ownerId, name)
    const rows = (await readWhole(store, partialStream(id))).map((event) => ({
      version: event.revision + 1,
      at: timeOfEvent(event),
      type: event.type,
      request_id: event.metadata.correlation_id ?? null,
    }))
    if (rows.length === 0) throw new Error(`there is no partial ${name}; see partials list`)
    if (values.json) for (const row of rows) print(JSON.stringify(row))
    else
      for (const line of alignColumns(
        rows.map(({ version, at, type, request_id }) => [String(version), at, type, String(request_id)]),
      ))
        print(line)
  },
}
