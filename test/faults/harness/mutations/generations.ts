import type { Mutation } from './mutation.ts'

const lostAcks = 'acknowledgements of synchronous documents are lost'
const suspendedRenderer = 'a renderer is suspended after the file, before the event'

export const generations: readonly Mutation[] = [
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
    find: 'const message = await read(raw, consumption)\n',
    // Templates keep the check: without it, no template could be created.
    replace:
      "const message = await read(raw, consumption)\n    if (raw.subject.startsWith('commands.render.')) raw.ack()\n",
    faults: [
      'a renderer is killed after it has fetched a command',
      'a renderer is killed after the file, before the event',
    ],
    invariant: 'I1',
  },
  {
    guard: 'events are appended with the expected revision',
    file: 'shared/event-store/src/handle-command.ts',
    find: 'recorded, loaded.revision)',
    replace: "recorded, 'any')",
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
    guard: 'a message with wrong bytes is not handled',
    file: 'shared/messaging/src/consume/consume.ts',
    find: 'if (!raw.isIntact) await',
    replace: 'if (false) await',
    faults: [],
    test: 'shared/messaging/src/consume/consume.test.ts',
    invariant: 'test',
  },
  {
    guard: 'requests with one Idempotency-Key have one id',
    file: 'services/gateway/src/idempotency/idempotent-request.ts',
    find: 'const { id } = entry',
    replace: 'const id = newId(prefix)',
    faults: ['a gateway is killed after the PubAck, before its answer'],
    test: 'services/gateway/src/idempotency/idempotency.test.ts',
    invariant: 'I5',
    says: 'was sent',
  },
  {
    guard: 'a queued generation is found',
    file: 'services/gateway/src/generations/find-generation.ts',
    find: '(await queue.find(id, ownerId)) ?? ',
    replace: '',
    faults: ['the event store is slow'],
    test: 'services/gateway/src/generations/generation-routes.test.ts',
    invariant: 'I10',
    says: 'was answered with 404',
  },
  {
    guard: 'an unavailable server is a 503',
    file: 'services/gateway/src/http/errors/error-response.ts',
    find: 'if (err instanceof DependencyUnavailable)',
    replace: 'if (err instanceof DependencyUnavailable && err.message === "")',
    faults: ['the event store is a black hole'],
    test: 'services/gateway/src/faults.test.ts',
    invariant: 'I10',
    says: 'was answered with 500',
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
    guard: 'a refused command stays refused when its ack is lost',
    file: 'services/renderer/src/jobs/render-handlers.ts',
    find: '      const outcome = refusal\n',
    replace:
      '      if (refusal) return sendReply(nats, raw, { ok: false, failure: refusal })\n      const outcome = refusal\n',
    also: [
      {
        file: 'services/gateway/src/generations/generate-responses.ts',
        find: 'const outcome = await waitForOutcome({ id, pending, generations, updates, timeoutMs, signal })',
        replace: `const waiting = { id, pending, generations, updates, timeoutMs, signal }
  const outcome: any = await idempotent.attempt(() => waitForOutcome(waiting))`,
      },
      {
        file: 'services/gateway/src/generations/generate-responses.ts',
        find: '{ generation, pending, mode, returns, asFile, request, reply, disconnected: signal }: SubmittedSync',
        replace:
          '{ generation, idempotent, pending, mode, returns, asFile, request, reply, disconnected: signal }: any',
      },
      {
        file: 'services/gateway/src/generations/answer-generation.ts',
        find: 'respondWithResult(options, { generation,',
        replace: 'respondWithResult(options, { idempotent, generation,',
      },
    ],
    faults: [lostAcks, lostAcks],
    test: 'services/renderer/src/admission.test.ts',
    invariant: 'I5',
    says: 'and made',
  },
  {
    guard: 'a message whose handler has begun before counts as delivered before',
    file: 'shared/messaging/src/consume/delivered-message.ts',
    find: ' || this.#begun > 1',
    replace: '',
    faults: ['the event store is suspended', 'the event store is suspended'],
    patience: 6,
    test: 'shared/messaging/src/consume/delivered-message.test.ts',
    invariant: 'I1',
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
]
