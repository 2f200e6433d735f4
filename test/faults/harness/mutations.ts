import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noBrowser } from './nemesis.ts'
import type { summary } from './report.ts'
import type { SystemOptions } from './system.ts'
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
  /** One process shows it, too, and is quicker. */
  single?: boolean
  /** Default: `embedded` for one process. */
  engines?: SystemOptions['engines']
  /** What is violated, or `test`. */
  invariant: string
  /** The file of a test that must fail, for what no fault shows (its invariant is `test`), or not in every run. */
  test?: string
  /** Without it, the product may not work at all any more. */
  fatal?: boolean
}

const cutOften = 'connections to the event store are cut 20 times'
const lostReplies = 'replies to commands are lost'
const stalledRelease = 'the release of a slug stalls'
const lostAcks = 'acknowledgements are lost'
const lateView = 'the view of a gateway is late with a rotated key'
const silentToGateways = 'the event store does not answer the gateways'
const suspendedRenderer = 'a renderer is suspended after the file, before the event'

export const mutations: readonly Mutation[] = [
  {
    guard: 'a 202 is sent after the PubAck',
    file: 'shared/messaging/src/requests/send-command.ts',
    find: 'async () => publish(bus, message)',
    // The handler of another command is awaited: without its reply nothing would work.
    replace:
      "async () => (subject.startsWith('commands.render.') ? { seq: Number(void publish(bus, message)) } : publish(bus, message))",
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
    // A publication is tried again for four seconds.
    faults: ['nats-server is suspended', 'nats-server is suspended'],
    patience: 3,
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
    faults: [lostReplies, lostReplies, lostReplies],
    test: 'services/template/src/start.test.ts',
    invariant: 'I7',
  },
  {
    guard: 'a command of a partial that was executed is answered with its own events',
    file: 'services/template/src/handlers/handle-partial-command.ts',
    find: 'answerOf(partial_id, known.executed)',
    replace: 'answerOf(partial_id, known)',
    faults: [lostReplies, lostReplies, lostReplies],
    test: 'services/template/src/partials.test.ts',
    invariant: 'I7',
  },
  {
    guard: 'who releases a slug takes its reservation over first',
    file: 'services/template/src/handlers/reserve-slug.ts',
    find: `  const { heldBy } = (await readSlug(holder, slug)).slug
  if (heldBy !== holder.templateId || (await isUsed(holder, slug))) return
  const by = randomUUID()
  await changeSlug(holder, slug, { type: 'ReserveSlug', by })
  if (await isUsed(holder, slug)) return
`,
    replace: "  const by = ''\n",
    also: [
      {
        file: 'shared/domain/src/template/slug.ts',
        find: 'return isLast || (isHeld && slug.heldBy !== data.template_id) ? []',
        replace: 'return isHeld ? []',
      },
      {
        file: 'shared/domain/src/template/slug.ts',
        find: 'return isLast ? [{',
        replace: 'return isHeld && slug.heldBy === data.template_id ? [{',
      },
    ],
    faults: [stalledRelease, stalledRelease, stalledRelease],
    test: 'services/template/src/slug-races.test.ts',
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
    guard: 'a refused command stays refused when its ack is lost',
    file: 'services/renderer/src/jobs/render-handlers.ts',
    find: '      // Recorded, so that',
    replace:
      '      if (refusal) return sendReply(nats, raw, { ok: false, failure: refusal })\n      // Recorded, so that',
    also: [
      {
        file: 'services/gateway/src/generations/generate-responses.ts',
        find: 'const outcome = await waitForOutcome({ id, pending, generations, updates, timeoutMs, signal })',
        replace: `const outcome = await waitForOutcome({ id, pending, generations, updates, timeoutMs, signal }).catch(
    async (err) => {
      await idempotent.releaseKey()
      throw err
    },
  )`,
      },
      {
        file: 'services/gateway/src/generations/generate-responses.ts',
        find: '{ generation, pending, mode, asPdf, request, reply, disconnected: signal }: SubmittedSync',
        replace: '{ generation, idempotent, pending, mode, asPdf, request, reply, disconnected: signal }: any',
      },
      {
        file: 'services/gateway/src/generations/generate-route.ts',
        find: 'const submitted = { generation,',
        replace: 'const submitted = { idempotent, generation,',
      },
    ],
    faults: [lostAcks, lostAcks],
    invariant: 'I5',
  },
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
    guard: 'each start of a process has an identity of its own',
    file: 'shared/service-kit/src/host/backing-services.ts',
    find: "randomBytes(8).toString('hex')",
    replace: '0',
    also: [
      { file: 'shared/service-kit/src/host/backing-services.ts', find: 'process.pid', replace: '1' },
      {
        file: 'services/notifier/src/schedule/attempt-claims.ts',
        find: 'before ? this.#heldForMs',
        replace: 'before && before.holder !== this.#holder ? this.#heldForMs',
      },
    ],
    faults: [],
    invariant: 'I6',
  },
  {
    guard: 'a sweep records that it gives an object up',
    file: 'services/renderer/src/object-sweep/sweep-objects.ts',
    find: '    await store.append(stream, [newEvent(event, cause)], revision)\n    return true',
    replace: '    void [store, stream, newEvent, event, cause, revision]\n    return true',
    faults: [],
    single: true,
    engines: 'networked',
    test: 'services/renderer/src/object-sweep/sweep-objects.test.ts',
    invariant: 'I4',
  },
  {
    guard: 'no key of an object is used again',
    file: 'services/gateway/src/assets/store-content.ts',
    find: "randomBytes(8).toString('hex')",
    replace: 'sha256.slice(0, 16)',
    faults: [],
    single: true,
    engines: 'networked',
    invariant: 'I4',
  },
  {
    guard: 'a library is read from its last listing on',
    file: 'shared/domain/src/asset/asset-libraries.ts',
    find: "      if (event.type === 'AssetsListed') break\n",
    replace: '',
    faults: [],
    single: true,
    engines: 'networked',
    invariant: 'L',
  },
  {
    guard: 'an aggregate is read from its last whole event on',
    file: 'shared/event-store/src/handle-command.ts',
    find: '  if (isWhole) return loadBack',
    replace: '  if (isWhole && false) return loadBack',
    faults: [],
    single: true,
    engines: 'networked',
    invariant: 'L',
  },
  {
    guard: 'a gateway reads a version by its own event',
    file: 'services/gateway/src/views/current-records.ts',
    find: '    if (fold.isWhole(event)) break\n',
    replace: '',
    faults: [],
    single: true,
    engines: 'networked',
    invariant: 'L',
  },
  {
    guard: 'a free slug is found by doubling its number',
    file: 'services/template/src/handlers/first-free.ts',
    find: 'free *= 2\n  let taken = Math.floor(free / 2)',
    replace: 'free += 1\n  let taken = free - 1',
    faults: [],
    single: true,
    engines: 'networked',
    invariant: 'L',
  },
  {
    guard: 'who creates or restores a template looks at its slug again',
    file: 'services/template/src/handlers/keep-slug.ts',
    find: "  if (state.status === 'absent') return",
    replace: '  if (state) return',
    faults: [],
    // Under faults a process would have to be suspended for over a minute.
    test: 'services/template/src/slug-races.test.ts',
    invariant: 'test',
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
    guard: 'a partial that is too large for the event store is refused',
    file: 'services/template/src/start.ts',
    find: 'cause instanceof AppendTooLarge)',
    replace: 'cause instanceof AppendTooLarge) || isPartialCommand(command)',
    faults: [],
    single: true,
    invariant: 'I10',
  },
  {
    guard: 'a change that was recorded is not checked again',
    file: 'services/template/src/handlers/handle-template-command.ts',
    find: 'loaded.executed ?? (await execute',
    replace: '(await execute',
    faults: Array<string>(4).fill('a template service is killed after a change with a partial, before its answer'),
    invariant: 'I7',
  },
  {
    guard: 'a label that was set is not checked again',
    file: 'services/template/src/handlers/handle-label-command.ts',
    find: 'if (executed) return',
    replace: 'if (executed && command.data.label === undefined) return',
    faults: Array<string>(6).fill('a template service is killed after a label is set, before its answer'),
    invariant: 'I7',
  },
  {
    guard: 'a creation is answered as it was recorded, also if its template was deleted since',
    file: 'services/template/src/handlers/handle-template-command.ts',
    find: 'const template = shownTemplate(template_id, state)',
    replace:
      "const template = shownTemplate(template_id, command.type === 'CreateTemplate' ? (loaded.executed ? loaded.state : state) : state)",
    faults: [],
    single: true,
    invariant: 'I10',
  },
  {
    guard: 'a rotated key is answered with its secret, also if the views are late',
    file: 'services/gateway/src/views/shown-in-time.ts',
    find: 'return false',
    replace: 'throw err',
    faults: [lateView, lateView, lateView],
    invariant: 'I7',
  },
  {
    guard: 'a redelivery of a range counts what the first try of its command has sent',
    file: 'services/notifier/src/handlers/redeliver-deliveries.ts',
    find: 'commandId: metadata.id, ',
    replace: '',
    faults: Array<string>(6).fill('a notifier is killed after a redelivery is recorded, before its answer'),
    invariant: 'I6',
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
    guard: 'what was recorded before the first start of a relay is published',
    file: 'shared/service-kit/src/relay/resume-point.ts',
    find: '(await logEndAtJoin(bus)) ?? (await store.end())',
    replace: 'await store.end()',
    faults: [],
    invariant: 'E',
  },
  {
    guard: 'a list goes on behind the queued generations that one request looks at',
    file: 'services/gateway/src/generations/list-generations.ts',
    find: 'all.length > ids.length && found.length <= limit ? ids.at(-1) : undefined',
    replace: 'undefined as string | undefined',
    faults: ['more generations are queued than a list looks at'],
    invariant: 'I3',
  },
  {
    guard: 'the time in the queue is that of the command',
    file: 'services/notifier/src/supervisor/sweep-generations.ts',
    find: 'JSON.stringify(command.request), command.sinceMs)',
    replace: 'JSON.stringify(command.request), nowMs)',
    faults: [],
    test: 'services/notifier/src/supervisor/sweep-generations.test.ts',
    invariant: 'test',
  },
  {
    guard: 'an erasure deletes the files of attempts that were not recorded',
    file: 'cli/src/operate/erase/erase-generation.ts',
    find: '...(attempts.get(id) ?? []),',
    replace: '',
    faults: ['a renderer is killed after the file, before the event', suspendedRenderer],
    invariant: 'I8',
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
  {
    guard: 'a change of a template is answered without the event store',
    file: 'services/gateway/src/templates/templates.ts',
    find: 'const commands = templateCommands(client)',
    replace: `const plain = templateCommands(client)
  const commands = {
    ...plain,
    async execute(...args: Parameters<typeof plain.execute>) {
      const template = await plain.execute(...args)
      return template && templates.at(template.id, template.version - 1)
    },
  }`,
    faults: [silentToGateways, silentToGateways],
    invariant: 'I7',
  },
  {
    guard: 'a change of a partial is answered without the event store',
    file: 'services/gateway/src/partials/partials.ts',
    find: 'const commands = partialCommands(client)',
    replace: `const plain = partialCommands(client)
  const commands = {
    async execute(...args: Parameters<typeof plain.execute>) {
      const partial = await plain.execute(...args)
      return partial && partials.at(partial.id, partial.version - 1, args[0].data.owner_id)
    },
  }`,
    faults: [silentToGateways, silentToGateways],
    invariant: 'I7',
  },
  {
    guard: 'a preview is sent again for four seconds while no renderer has a browser',
    file: 'services/renderer/src/start.ts',
    find: 'const previews = printer.untilReady(stopping).then(',
    replace: 'const previews = Promise.resolve().then(',
    also: [
      {
        file: 'services/gateway/src/previews/preview-client.ts',
        find: 'if (failure && released) throw new Released(failure.code, failure.message)',
        replace: '',
      },
    ],
    faults: [noBrowser, noBrowser],
    invariant: 'I10',
  },
  {
    guard: 'the leader of a cluster is looked for again when it does not answer',
    file: 'shared/event-store/src/adapters/eventstoredb/leader-client.ts',
    find: 'this.#trustedUntil = performance.now() + trustMs\n    this.#members',
    replace: 'this.#trustedUntil = Number.POSITIVE_INFINITY\n    this.#members',
    also: [
      {
        file: 'shared/event-store/src/adapters/eventstoredb/leader-client.ts',
        find: 'if (client === this.#client && this.mayBeDeposed) this.#trustedUntil = 0',
        replace: '',
      },
    ],
    faults: [],
    test: 'shared/event-store/src/adapters/eventstoredb/cluster.test.ts',
    invariant: 'test',
  },
  {
    guard: 'a read of a revision is not answered by a leader that lacks it',
    file: 'shared/event-store/src/adapters/eventstoredb/read.ts',
    find: "leader.mayBeDeposed && backwards && typeof from === 'number' ? from : undefined",
    replace: 'undefined as number | undefined',
    faults: [],
    test: 'shared/event-store/src/adapters/eventstoredb/cluster.test.ts',
    invariant: 'test',
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

/** Most violations of an invariant that are printed. */
const shown = 3

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
      const isRare = test !== undefined && invariant !== 'test'
      let ran = await (test === undefined || isRare
        ? runIn(folder, mutation, [...args, '--seed', String(seed)])
        : runTest(folder, test))
      const isSeen = () => ran.red.find((verdict) => verdict.invariant === invariant || verdict.invariant === 'test')
      if (isRare && !isSeen()) ran = await runTest(folder, test)
      const { red, unmet } = ran
      const found = isSeen()
      if (!found) unseen.push(guard)
      say(`${found ? 'seen  ' : 'UNSEEN'} ${guard}: ${invariant}`)
      for (const fault of unmet) say(`       its moment did not come: ${fault}`)
      for (const { invariant, violations } of red)
        for (const violation of violations.slice(0, shown)) say(`       ${invariant} ${violation}`)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  return unseen
}

interface Ran {
  /** The verdicts with violations. */
  red: Pick<Verdict, 'invariant' | 'violations'>[]
  /** Faults whose moment did not come. */
  unmet: string[]
}

/** The tests of the file that have failed. */
async function runTest(folder: string, test: string): Promise<Ran> {
  const child = spawn(process.execPath, [join(folder, test)], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const [code] = await once(child, 'close')
  const failed = [...printed.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, title = '']) => title)
  const violations = failed.length > 0 ? failed : [printed.slice(-300)]
  return { red: code === 0 ? [] : [{ invariant: 'test', violations }], unmet: [] }
}

async function runIn(
  folder: string,
  { faults, single = false, engines = single ? 'embedded' : 'networked', fatal, invariant, patience = 1 }: Mutation,
  options: readonly string[],
): Promise<Ran> {
  const report = join(folder, 'report.json')
  const system = ['--engines', engines, ...(single ? ['--single'] : [])]
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
    const violations = [`it does not work any more: ${reason}`]
    if (fatal && reason !== '') return { red: [{ invariant, violations }], unmet: [] }
    throw new Error(`the run ended without a report: ${errors}`)
  }
  const { verdicts, faults: inflicted } = JSON.parse(result) as ReturnType<typeof summary>
  const unmet = inflicted.filter(({ met }) => !met).map(({ name, note = '' }) => `${name} ${note}`)
  return { red: verdicts.filter(({ violations }) => violations.length > 0), unmet }
}
