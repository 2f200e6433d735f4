import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { summary } from './report.ts'
import type { Verdict } from './verdict.ts'

interface Edit {
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
}

/** A guard of the product, how to take it out, and the invariant that is violated then. */
export interface Mutation extends Edit {
  guard: string
  /** What was written together with the guard. */
  also?: readonly Edit[]
  /** The faults against which it guards. */
  faults: readonly string[]
  /** Multiplies the time of faults that last. */
  patience?: number
  /** One process with embedded engines shows it, too, and is quicker. */
  single?: boolean
  /** What is violated, or `test`. */
  invariant: string
  /** The file of a test that must fail instead, for what no fault shows. Its invariant is `test`. */
  test?: string
  /** Without it, the product may not work at all any more. */
  fatal?: boolean
}

const cutOften = 'connections to the event store are cut 20 times'
const killedAfterAppend = 'a template service is killed after an append, before its answer'
const suspendedRenderer = 'a renderer is suspended after the file, before the event'

export const mutations: readonly Mutation[] = [
  {
    guard: 'a 202 is sent after the PubAck',
    file: 'shared/messaging/src/requests/send-command.ts',
    find: 'async () => publish(bus, message)',
    replace: 'async () => void publish(bus, message)',
    faults: ['a gateway is killed before it publishes a command'],
    invariant: 'I1',
  },
  {
    guard: 'a command is acknowledged after its events are appended',
    file: 'shared/messaging/src/consume/consume.ts',
    find: 'const message = consumption.parse(raw)\n',
    replace: 'const message = consumption.parse(raw)\n    raw.ack()\n',
    faults: [
      'a renderer is killed after it has fetched a command',
      'a renderer is killed after the file, before the event',
    ],
    invariant: 'I1',
  },
  {
    guard: 'events are appended with the expected revision',
    file: 'shared/event-store/src/handle-command.ts',
    find: '[first, ...rest], loaded.revision)',
    replace: "[first, ...rest], 'any')",
    faults: [suspendedRenderer],
    invariant: 'I2',
  },
  {
    guard: 'each attempt writes a file of its own',
    file: 'shared/domain/src/streams/subjects.ts',
    find: 'attempt}.pdf',
    replace: "''}.pdf",
    faults: [suspendedRenderer, suspendedRenderer],
    invariant: 'I4',
  },
  {
    guard: 'a relay goes on after an event is published',
    file: 'shared/service-kit/src/relay/relay.ts',
    find: 'events, checkpoint.position)',
    replace: 'events, checkpoint.position).catch(() => 0)',
    faults: ['nats-server is suspended', 'nats-server is killed and started', 'connections to NATS are cut'],
    invariant: 'E',
  },
  {
    guard: 'the id of a webhook derives from its event and URL',
    file: 'shared/domain/src/delivery/delivery-record.ts',
    find: "hashedId('msg', eventId, url)",
    replace: "hashedId('msg', eventId, url, crypto.randomUUID())",
    faults: ['a notifier is killed after it has scheduled a webhook, before the ack'],
    invariant: 'I6',
  },
  {
    guard: 'a webhook is sent again after a crash',
    file: 'services/notifier/src/handlers/attempt-delivery.ts',
    find: 'const taken = await dependencies.claims.take(due.id, due.attempt)',
    replace:
      "const taken = await dependencies.claims.take(due.id, due.attempt)\n  if ('times' in taken && taken.times > 1) return 3_600_000",
    faults: ['both notifiers are killed during a POST'],
    invariant: 'I1',
  },
  {
    guard: 'the signature covers the timestamp',
    file: 'services/notifier/src/webhook/sign.ts',
    find: 'timestampS}.',
    replace: "''}.",
    faults: [],
    single: true,
    invariant: 'I6',
  },
  {
    guard: 'a command is refused after its deadline',
    file: 'shared/event-store/src/handle-command.ts',
    find: 'if (now) refuseAfterDeadline(command.metadata, now())',
    replace: '',
    faults: ['a template service is killed before an append', 'a template service is killed before an append'],
    invariant: 'I7',
  },
  {
    guard: 'a change names the version that it is for',
    file: 'shared/domain/src/template/decide-template.ts',
    find: 'if_version !== template.version',
    replace: 'if_version > template.version',
    faults: [],
    single: true,
    invariant: 'I7',
  },
  {
    guard: 'requests with one Idempotency-Key have one id',
    file: 'services/gateway/src/idempotency/idempotent-request.ts',
    find: 'const { id } = entry',
    replace: 'const id = newId(prefix)',
    faults: ['a gateway is killed after the PubAck, before its answer'],
    invariant: 'I5',
  },
  {
    guard: 'a gateway reads the events that its view lacks',
    file: 'services/gateway/src/views/current-records.ts',
    find: 'return await newest({ store, stream: stream(id), fold }, viewed)',
    replace: 'return viewed',
    faults: [cutOften, cutOften],
    invariant: 'I3',
  },
  {
    guard: 'a queued generation is found',
    file: 'services/gateway/src/generations/find-generation.ts',
    find: '(await queue.find(id, ownerId)) ?? ',
    replace: '',
    faults: ['the event store is slow'],
    invariant: 'I10',
  },
  {
    guard: 'an unavailable server is a 503',
    file: 'services/gateway/src/http/errors/error-response.ts',
    find: 'if (err instanceof DependencyUnavailable)',
    replace: 'if (err instanceof DependencyUnavailable && err.message === "")',
    faults: ['the event store is a black hole'],
    invariant: 'I10',
  },
  {
    guard: 'a view goes on where it stopped',
    file: 'shared/service-kit/src/projections/run-projection.ts',
    find: "after: view.checkpoint() ?? 'start'",
    replace: "after: view.checkpoint() === undefined ? 'start' : 'end'",
    faults: ['a gateway is killed before it publishes a command', 'a rolling restart'],
    invariant: 'I9',
  },
  {
    guard: 'a recorded file is kept',
    file: 'services/renderer/src/object-sweep/sweep-objects.ts',
    find: "? 'not recorded' : 'recorded'",
    replace: "? 'not recorded' : 'not recorded'",
    faults: [],
    single: true,
    invariant: 'I8',
  },
  {
    guard: 'a file without an event is removed',
    file: 'services/renderer/src/object-sweep/sweep-objects.ts',
    find: "(found === 'not recorded') await remove",
    replace: "(found === 'recorded') await remove",
    faults: ['renderers are killed when a file was written', 'renderers are killed when a file was written'],
    single: true,
    invariant: 'I8',
  },
  {
    guard: 'a command that was executed is answered with its own events',
    file: 'services/template/src/handlers/handle-template-command.ts',
    find: 'loaded.executed ?? (await execute',
    replace: '(loaded.executed && loaded) ?? (await execute',
    faults: [killedAfterAppend, killedAfterAppend, killedAfterAppend, killedAfterAppend],
    invariant: 'I7',
  },
  {
    guard: 'a slug that its template uses is not released',
    file: 'services/template/src/handlers/reserve-slug.ts',
    find: "return type !== 'TemplateDeleted' && (",
    replace: "return type === 'TemplateUpdated' && (",
    faults: [],
    single: true,
    invariant: 'I11',
  },
  {
    guard: 'a refusal is recorded before it is answered',
    file: 'services/renderer/src/jobs/render-handlers.ts',
    find: '? await fail(command, refusal)',
    replace: "? ({ type: 'GenerationFailed', data: refusal } as const)",
    faults: [],
    single: true,
    invariant: 'I10',
  },
  {
    guard: 'a message whose handler has begun before counts as delivered before',
    file: 'shared/messaging/src/consume/delivered-message.ts',
    find: ' || this.#begun > 1',
    replace: '',
    faults: ['the event store is suspended', 'the event store is suspended'],
    patience: 6,
    invariant: 'I1',
  },
  {
    guard: 'a redelivery has an attempt number of its own',
    file: 'shared/domain/src/delivery/redeliver.ts',
    find: "(state.status === 'pending' ? state.attempt : state.attempts) + 1",
    replace: "state.status === 'pending' ? state.attempt : state.attempts + 1",
    faults: [],
    single: true,
    invariant: 'I6',
  },
  {
    guard: 'the bucket of idempotency keys has a limit',
    file: 'shared/domain/src/streams/buckets.ts',
    find: ', maxBytes: 2 ** 30',
    replace: '',
    faults: [],
    single: true,
    invariant: 'L',
  },
]

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Writes the changed files into a copy of the source. Without one, only looks whether they can be changed. Throws if not. */
export async function mutate({ also = [], ...mutation }: Mutation, copy?: string): Promise<void> {
  const changed = new Map<string, string>()
  for (const { file, find, replace } of [mutation, ...also]) {
    const text = changed.get(file) ?? (await readFile(join(copy ?? root, file), 'utf8'))
    const [before, after, ...more] = text.split(find)
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`${file} does not contain the guard once: ${find}`)
    changed.set(file, `${before}${replace}${after}`)
  }
  if (copy !== undefined) for (const [file, text] of changed) await writeFile(join(copy, file), text)
}

/** A copy of the source that shares the installed packages. */
async function copySource(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-mutant-'))
  const left = new Set(['node_modules', '.git', '.tap', 'data', 'out'])
  for (const name of await readdir(root)) {
    if (!left.has(name)) await cp(join(root, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
  }
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    const [from, to] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)]
    // Packages of the workspace are links to folders beside node_modules.
    if (name === '@platen') await cp(from, to, { recursive: true, verbatimSymlinks: true })
    else await symlink(from, to)
  }
  return folder
}

interface MutationOptions {
  seed: number
  say: (line: string) => void
  /** Only guards with this text. */
  only?: string | undefined
  /** Further options of the command line. */
  args?: readonly string[]
}

/** Runs each mutation. Returns the guards whose absence the checker has not seen. */
export async function runMutations(
  some: readonly Mutation[],
  { seed, say, only = '', args = [] }: MutationOptions,
): Promise<string[]> {
  const unseen: string[] = []
  for (const mutation of some) {
    const { guard, invariant, test } = mutation
    if (!guard.includes(only)) continue
    const folder = await copySource()
    try {
      await mutate(mutation, folder)
      const red = await (test === undefined
        ? runIn(folder, mutation, [...args, '--seed', String(seed)])
        : runTest(folder, test))
      const found = red.find((verdict) => verdict.invariant === invariant)
      if (!found) unseen.push(guard)
      const all = red.map((verdict) => verdict.invariant).join(' ') || 'nothing'
      say(`${found ? 'seen  ' : 'UNSEEN'} ${guard}: ${invariant}; violated: ${all}`)
      if (found) say(`       ${found.violations[0]}`)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  return unseen
}

/** The tests of the file that have failed. */
async function runTest(folder: string, test: string): Promise<Pick<Verdict, 'invariant' | 'violations'>[]> {
  const child = spawn(process.execPath, [join(folder, test)], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const [code] = await once(child, 'close')
  const failed = [...printed.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, title = '']) => title)
  return code === 0 ? [] : [{ invariant: 'test', violations: failed.length > 0 ? failed : [printed.slice(-300)] }]
}

/** The verdicts with violations. */
async function runIn(
  folder: string,
  { faults, single, fatal, invariant, patience = 1 }: Mutation,
  options: readonly string[],
): Promise<Pick<Verdict, 'invariant' | 'violations'>[]> {
  const report = join(folder, 'report.json')
  const system = single ? ['--single', '--engines', 'embedded'] : []
  const args = [
    '--generations',
    '40',
    '--settle',
    '20',
    '--patience',
    String(patience),
    '--report',
    report,
    ...system,
    ...options,
  ]
  const program = [join(folder, 'test/faults/harness/main.ts'), ...args, '--faults', faults.join(';')]
  const child = spawn(process.execPath, program, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  await once(child, 'close')
  const result = await readFile(report, 'utf8').catch(() => undefined)
  if (result === undefined) {
    const [reason = ''] = /^Error: .*$/m.exec(errors) ?? []
    if (fatal && reason !== '') return [{ invariant, violations: [`it does not work any more: ${reason}`] }]
    throw new Error(`the run ended without a report: ${errors}`)
  }
  const { verdicts } = JSON.parse(result) as ReturnType<typeof summary>
  return verdicts.filter(({ violations }) => violations.length > 0)
}
