import type { Mutation } from './mutation.ts'

const suspendedRenderer = 'a renderer is suspended after the file, before the event'

export const verbs: readonly Mutation[] = [
  {
    guard: 'a retry of an item is no item of its batch',
    file: 'shared/domain/src/generation/retried-request.ts',
    find: '{ batch: _batch, kept_input: _kept, ...earlier }',
    replace: '{ kept_input: _kept, ...earlier }',
    test: 'shared/domain/src/generation/retried-request.test.ts',
    faults: [],
    verbs: true,
    invariant: 'I5',
    says: 'is no item of',
  },
  {
    guard: 'the dead letter of a document goes when its retry has ended',
    file: 'services/notifier/src/supervisor/sweep-generations.ts',
    find: '      await commands.dropDead(retryOf)\n',
    replace: '',
    test: 'services/notifier/src/supervisor/supervisor.test.ts',
    faults: [],
    invariant: 'V',
    says: 'is kept, and its retry has completed',
  },
  {
    guard: 'a backup is replaced when the next one is whole',
    file: 'cli/src/operate/backup/make-backup.ts',
    find: '  const { objects: found, copied } = await copyObjects({',
    replace: `  const kept = (before?.files ?? []).filter(({ path }) => path !== eventsFile)
  await writeList(await place.newFile(), [events.file, ...kept])
  const early = {
    created_at: new Date().toISOString(),
    platen_version: manifest.version,
    event_store: events.log.identity,
    events: events.log.events,
    objects: kept.filter(({ path }) => path.startsWith('objects/')).length,
    object_bytes: 0,
    list: await place.keepNew(),
  }
  await place.writeManifest(manifestText(early))
  const { objects: found, copied } = await copyObjects({`,
    test: 'cli/src/operate/backup/interrupted.test.ts',
    faults: [],
    single: true,
    invariant: 'V',
  },
  {
    guard: 'archives that overlap do not replace segments of each other',
    file: 'shared/event-store/src/archive/segment.ts',
    find: 'manifestKey = (segment: Named): string => ',
    replace:
      "manifestKey = ({ epoch, number }: Named): string => [archiveCategory, `/`, epoch, '.', numberText(number), '.json'].join('')\nexport const unused = (segment: Named): string => ",
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
    file: 'shared/event-store/src/adapters/sqlite/store-lock.ts',
    find: "join(dirname(path), 'restore.new')",
    replace: "join(process.env.DATA_DIR ?? '', 'restore.new')",
    faults: [],
    single: true,
    invariant: 'V',
  },
  {
    guard: 'a restore does not replace an event store that is open',
    file: 'cli/src/operate/backup/replace-data.ts',
    find: 'using _store = takeStore(data.eventsPath)',
    replace: '',
    faults: [],
    single: true,
    test: 'cli/src/operate/backup/backup.test.ts',
    invariant: 'V',
  },
  {
    guard: 'a dead letter is removed after its command was executed',
    file: 'shared/service-kit/src/dead-letters/retry-letter.ts',
    find: 'metadata: { ...command.metadata, deadline } }',
    replace: 'metadata: command.metadata }',
    also: [
      {
        file: 'shared/service-kit/src/dead-letters/retry-letter.ts',
        find: 'if (reply?.ok) {',
        replace: 'if (command.type !== undefined) {',
      },
    ],
    faults: [],
    single: true,
    invariant: 'V',
  },
  {
    guard: 'an erasure deletes the files of attempts that were not recorded',
    file: 'shared/service-kit/src/commands/erase-generation.ts',
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
    find: 'ownerId === undefined || state.delivery.owner_id === ownerId',
    replace: 'ownerId === undefined || state.delivery.owner_id !== undefined',
    faults: [],
    single: true,
    invariant: 'V',
  },
]
