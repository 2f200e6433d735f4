import type { Mutation } from './mutation.ts'

const suspendedRenderer = 'a renderer is suspended after the file, before the event'

export const verbs: readonly Mutation[] = [
  {
    guard: 'a backup is replaced when the next one is whole',
    file: 'cli/src/operate/backup/backup.ts',
    find: '    const objects = await copyObjects({',
    replace: `    await writeList(newContentPath(folder), [
      events.file,
      ...(before?.files ?? []).filter(({ path }) => path !== 'events.db'),
    ])
    const early = await contentOf(newContentPath(folder))
    await keepContent(folder, early)
    const created_at = new Date().toISOString()
    await writeManifest(folder, { created_at, events: events.count, objects: 0, object_bytes: 0, list: early })
    const objects = await copyObjects({`,
    faults: [],
    single: true,
    invariant: 'V',
  },
  {
    guard: 'archives that overlap do not replace segments of each other',
    file: 'shared/event-store/src/archive/segment.ts',
    find: 'manifestKey = (segment: Named): string => `$',
    replace:
      "manifestKey = ({ epoch, number }: Named): string => [archiveCategory, `/`, epoch, '.', numberText(number), '.json'].join('')\nexport const unused = (segment: Named): string => `$",
    also: [
      {
        file: 'shared/event-store/src/archive/segment.ts',
        find: '\\d{8,}\\.[0-9a-f]{16}\\.json',
        replace: '\\d{8,}\\.json',
      },
    ],
    faults: [],
    single: true,
    invariant: 'V',
  },
  {
    guard: 'a restore writes beside what it replaces',
    file: 'cli/src/operate/backup/put-in-place.ts',
    find: "join(dirname(path), 'restore.new')",
    replace: "join(process.env.DATA_DIR ?? '', 'restore.new')",
    faults: [],
    single: true,
    invariant: 'V',
  },
  {
    guard: 'a restore does not replace an event store that is open',
    file: 'cli/src/operate/backup/restore.ts',
    find: 'using _store = takeStore(data.eventsPath)',
    replace: '',
    faults: [],
    single: true,
    invariant: 'V',
  },
  {
    guard: 'a dead letter is removed after its command was executed',
    file: 'cli/src/operate/dead/retry-letter.ts',
    find: 'metadata: { ...command.metadata, deadline } }',
    replace: 'metadata: command.metadata }',
    also: [
      {
        file: 'cli/src/operate/dead/retry-letter.ts',
        find: 'if (reply?.ok) return',
        replace: 'if (command.type !== undefined) return',
      },
    ],
    faults: [],
    single: true,
    invariant: 'V',
  },
  {
    guard: 'an erasure deletes the files of attempts that were not recorded',
    file: 'cli/src/operate/erase/erase-generation.ts',
    find: '...(attempts.get(id) ?? []),',
    replace: '',
    faults: ['a renderer is killed after the file, before the event', suspendedRenderer],
    verbs: true,
    test: 'cli/src/nats.test.ts',
    invariant: 'I8',
    says: 'was erased',
  },
  {
    guard: 'webhooks of all owners are not sent again unless that is said',
    file: 'cli/src/operate/deliveries/deliveries.ts',
    find: 'if (isRange && !allOwners && owner === undefined && generation === undefined)',
    replace: 'if (isRange && !allOwners && status === undefined)',
    faults: [],
    single: true,
    invariant: 'V',
  },
  {
    guard: 'webhooks of one owner are not those of others',
    file: 'cli/src/operate/deliveries/deliveries.ts',
    find: 'ownerId === undefined || ownerOf(state) === ownerId',
    replace: 'ownerId === undefined || ownerOf(state) !== undefined',
    faults: [],
    single: true,
    invariant: 'V',
  },
]
