/** A step of an operator. */
export interface EngineStep {
  when: 'backup' | 'event store lost' | 'object store lost' | 'NATS lost'
  what: string
  /** Names in capitals stand for what the operator knows. */
  command?: string
}

export interface EngineUrls {
  eventStore: string
  objectStore: string
}

/** How the engines of a deployment are backed up, and what is done after the loss of each. */
export function engineSteps({ eventStore, objectStore }: EngineUrls): EngineStep[] {
  const isSqlite = eventStore.startsWith('sqlite:')
  const isFolder = objectStore.startsWith('file:')
  if (isSqlite && isFolder) return [...ofPlaten, ...ofNats]
  const bucket = isFolder ? 'BUCKET' : bucketOf(objectStore)
  const objects = isFolder ? objectStore.slice('file:'.length) : `ALIAS/${bucket}`
  const [copy, copyBack] = isFolder
    ? [`rsync -a ${objects}/ BACKUP/objects/`, `rsync -a BACKUP/objects/ ${objects}/`]
    : [`mc mirror --overwrite ${objects} BACKUP/objects`, `mc mb ${objects} && mc mirror BACKUP/objects ${objects}`]
  const store = isSqlite ? ofSqlite(eventStore.slice('sqlite:'.length)) : ofEventStoreDb
  return [
    {
      when: 'backup',
      what: 'the event store first, so that every file that an event names is in the copy',
      command: store.copy,
    },
    { when: 'backup', what: 'then the object store', command: copy },
    { when: 'backup', what: 'NATS is not needed: clients send again what was queued' },
    { when: 'backup', what: 'record the time, for status and the alert', command: 'platen backup engines --done' },
    ...afterLoss(store.copyBack),
    { when: 'object store lost', what: 'copy the objects back before the services start', command: copyBack },
    {
      when: 'object store lost',
      what: 'documents that were printed after the copy answer 410; assets are uploaded again',
    },
    ...ofNats,
  ]
}

const ofEventStoreDb = {
  copy: 'cd DATA_OF_A_NODE && rsync -aR $(find . -name "*.chk") BACKUP/events/ && rsync -a --exclude "*.chk" ./ BACKUP/events/',
  copyBack:
    'rsync -a --delete BACKUP/events/ DATA_OF_A_NODE/ && cp DATA_OF_A_NODE/chaser.chk DATA_OF_A_NODE/truncate.chk',
}

const ofSqlite = (path: string) => ({
  copy: `sqlite3 ${path} ".backup BACKUP/events.db"`,
  copyBack: `rm -f ${path}-wal ${path}-shm && cp BACKUP/events.db ${path}`,
})

const afterLoss = (copyBack: string): EngineStep[] => {
  const when = 'event store lost'
  return [
    { when, what: 'stop all services' },
    { when, what: 'put the copy in place while the store is stopped, and start the store', command: copyBack },
    {
      when,
      what: 'delete the views of each gateway and notifier',
      command: 'rm -r DATA_DIR/gateway DATA_DIR/notifier',
    },
    { when, what: 'NATS and the object store are those of the copy now', command: 'platen deployment adopt --yes' },
    { when, what: 'start the services, and look', command: 'platen status && platen views check' },
  ]
}

const ofPlaten: EngineStep[] = [
  { when: 'backup', what: 'event store, objects and secret, while the services run', command: 'platen backup BACKUP' },
  {
    when: 'event store lost',
    what: 'stop all services, with NATS_URL if it is your own',
    command: 'platen restore BACKUP',
  },
  { when: 'event store lost', what: 'start the services, and look', command: 'platen status && platen views check' },
  { when: 'object store lost', what: 'the same: restore puts back both', command: 'platen restore BACKUP' },
]

const ofNats: EngineStep[] = [
  { when: 'NATS lost', what: 'start an empty server, and make the streams', command: 'platen streams setup' },
  { when: 'NATS lost', what: 'start the services. What was queued is sent again by its clients' },
  {
    when: 'NATS lost',
    what: 'publish the events of the last days again, for subscribers and webhooks that were behind',
    command: 'platen replay --to-events --since TIME',
  },
]

const bucketOf = (url: string): string => new URL(url).pathname.replace(/^\//, '')
