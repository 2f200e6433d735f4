import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '@platen/foundation/runtime/shell-word.ts'

/** A step of an operator. */
export interface EngineStep {
  when: 'first' | 'backup' | 'event store lost' | 'object store lost' | 'NATS lost'
  what: string
  /** A shell command that runs unchanged after the lines of `first`, in which the operator sets the paths. */
  command?: string
}

export interface EngineUrls {
  eventStore: string
  objectStore: string
}

const source = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '')

/** How the engines of a deployment are backed up, and what is done after the loss of each. */
export function engineSteps({ eventStore, objectStore }: EngineUrls): EngineStep[] {
  const isSqlite = eventStore.startsWith('sqlite:')
  const isFolder = objectStore.startsWith('file:')
  if (isSqlite && isFolder) return [...first, ...ofPlaten, ...ofNats]
  const store = isSqlite ? ofSqlite(resolve(eventStore.slice('sqlite:'.length))) : ofEventStoreDb
  const objects = isFolder ? ofFolder(resolve(objectStore.slice('file:'.length))) : ofS3(new URL(objectStore))
  return [
    ...first,
    ...store.first,
    ...objects.first,
    {
      when: 'backup',
      what: 'the event store first, so that every file that an event names is in the copy',
      command: store.copy,
    },
    { when: 'backup', what: 'then the object store', command: objects.copy },
    { when: 'backup', what: 'NATS is not needed: clients send again what was queued' },
    { when: 'backup', what: 'record the time, for status and the alert', command: 'platen backup engines --done' },
    ...afterLoss(store.copyBack),
    { when: 'object store lost', what: 'copy the objects back before the services start', command: objects.copyBack },
    {
      when: 'object store lost',
      what: 'documents that were printed after the copy answer 410; assets are uploaded again',
    },
    ...ofNats,
  ]
}

/** A shell variable that fails if it is not set, so that no command removes `/gateway`. */
const variable = (name: string, path = '') => `"\${${name}:?}${path}"`

const first: EngineStep[] = [
  {
    when: 'first',
    what: 'the command line, with the settings of the services in the environment',
    command: `platen() { npm --prefix ${shellWord(source)} run --silent platen -- "$@"; }`,
  },
  {
    when: 'first',
    what: 'where the copies are: a folder on another machine or disk',
    command: 'BACKUP=/path/of/the/backup',
  },
]

/** Lines of one engine. */
interface EngineLines {
  first: EngineStep[]
  copy: string
  copyBack: string
}

const ofEventStoreDb: EngineLines = {
  first: [{ when: 'first', what: 'the data folder of a node of EventStoreDB', command: 'NODE=/var/lib/eventstore' }],
  copy:
    `mkdir -p ${variable('BACKUP', '/events')} && ( cd ${variable('NODE')} && find . -name '*.chk' -print0 | rsync -a --from0 --files-from=- ./ "$BACKUP/events/" ` +
    `&& rsync -a --exclude '*.chk' ./ "$BACKUP/events/" )`,
  copyBack: `rsync -a --delete ${variable('BACKUP', '/events/')} ${variable('NODE', '/')} && cp "$NODE/chaser.chk" "$NODE/truncate.chk"`,
}

/** `VACUUM INTO` copies one state. `.backup` begins again after each append, and never ends on a busy node. */
function ofSqlite(path: string): EngineLines {
  const [file, wal, shm] = [path, `${path}-wal`, `${path}-shm`].map(shellWord)
  return {
    first: [],
    copy:
      `mkdir -p ${variable('BACKUP')} && rm -f "$BACKUP/events.db.new" && ( cd "$BACKUP" && sqlite3 ${file} "VACUUM INTO 'events.db.new'" ) ` +
      `&& sync "$BACKUP/events.db.new" && mv "$BACKUP/events.db.new" "$BACKUP/events.db"`,
    copyBack: `rm -f ${wal} ${shm} && install -m 600 ${variable('BACKUP', '/events.db')} ${file}`,
  }
}

function ofFolder(path: string): EngineLines {
  const folder = `${shellWord(path)}/`
  return {
    first: [],
    copy: `mkdir -p ${variable('BACKUP', '/objects')} && rsync -a ${folder} "$BACKUP/objects/"`,
    copyBack: `mkdir -p ${folder} && rsync -a ${variable('BACKUP', '/objects/')} ${folder}`,
  }
}

function ofS3({ host, pathname, searchParams }: URL): EngineLines {
  const bucket = shellWord(`platen-backup${pathname}`.replace(/\/$/, ''))
  const server = shellWord(`${searchParams.get('tls') === 'false' ? 'http' : 'https'}://${host}`)
  const keys = '"$OBJECT_STORE_ACCESS_KEY" "$OBJECT_STORE_SECRET_KEY"'
  return {
    first: [
      {
        when: 'first',
        what: 'the object store for mc, the client of MinIO, with keys that may list and write, and create the bucket',
        // Every user of the machine can read arguments.
        command: `printf '%s\\n' ${keys} | mc alias set platen-backup ${server}`,
      },
    ],
    copy: `mc mirror --overwrite ${bucket} ${variable('BACKUP', '/objects')}`,
    copyBack: `mc mb --ignore-existing ${bucket} && mc mirror --overwrite ${variable('BACKUP', '/objects')} ${bucket}`,
  }
}

const afterLoss = (copyBack: string): EngineStep[] => {
  const when = 'event store lost'
  return [
    { when, what: 'stop all services' },
    { when, what: 'put the copy in place while the store is stopped, and start the store', command: copyBack },
    {
      when,
      what: 'delete the views of each gateway and notifier, with the DATA_DIR of each',
      command: `rm -rf ${variable('DATA_DIR', '/gateway')} ${variable('DATA_DIR', '/notifier')}`,
    },
    { when, what: 'NATS and the object store are those of the copy now', command: 'platen deployment claim --yes' },
    { when, what: 'start the services, and look', command: 'platen status && platen views check' },
  ]
}

const ofPlaten: EngineStep[] = [
  {
    when: 'backup',
    what: 'event store, objects and secret, while the services run',
    command: `platen backup ${variable('BACKUP')}`,
  },
  {
    when: 'event store lost',
    what: 'stop all services, with NATS_URL if it is your own',
    command: `platen restore ${variable('BACKUP')}`,
  },
  { when: 'event store lost', what: 'start the services, and look', command: 'platen status && platen views check' },
  {
    when: 'object store lost',
    what: 'the same: restore puts back both',
    command: `platen restore ${variable('BACKUP')}`,
  },
]

const ofNats: EngineStep[] = [
  { when: 'NATS lost', what: 'start an empty server, and make the streams', command: 'platen streams setup' },
  { when: 'NATS lost', what: 'start the services. What was queued is sent again by its clients' },
  {
    when: 'NATS lost',
    what: 'publish the events of the last seven days again, or since another time, for subscribers and webhooks that were behind',
    command: 'platen replay --to-events --since 7d',
  },
]
