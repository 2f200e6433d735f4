import type { Mutation } from './mutation.ts'

const lostReplies = 'replies to commands are lost'
const silentToGateways = 'the event store does not answer the gateways'
const killedAfterChange = 'a template service is killed after a change with a partial, before its answer'
const lostLabels = 'replies to labels are lost'

export const templates: readonly Mutation[] = [
  {
    guard: 'a command is refused after its deadline',
    file: 'shared/event-store/src/handle-command.ts',
    find: 'if (now) refuseAfterDeadline(command.metadata, now())',
    replace: '',
    // A command of a service that was killed comes again before its deadline.
    faults: ['a template service is killed before an append', 'a template service is killed before an append'],
    test: 'services/template/src/start.test.ts',
    invariant: 'I7',
    says: 'is recorded after',
  },
  {
    guard: 'a change names the version that it is for',
    file: 'shared/domain/src/template/decide-template.ts',
    find: 'if_version !== template.version',
    replace: 'if_version > template.version',
    faults: [],
    single: true,
    test: 'shared/domain/src/template/decide-template.test.ts',
    invariant: 'I7',
    says: 'a change of version',
  },
  {
    guard: 'a command that was executed is answered with its own events',
    file: 'services/template/src/handlers/handle-template-command.ts',
    find: 'loaded.executed ?? (await execute',
    replace: '(loaded.executed && loaded) ?? (await execute',
    faults: [lostReplies, lostReplies, lostReplies],
    test: 'services/template/src/start.test.ts',
    invariant: 'I7',
    says: 'updateTemplate of',
  },
  {
    guard: 'a command of a partial that was executed is answered with its own events',
    file: 'services/template/src/handlers/handle-partial-command.ts',
    find: 'answerOf(partial_id, known.executed)',
    replace: 'answerOf(partial_id, known)',
    faults: [lostReplies, lostReplies, lostReplies],
    test: 'services/template/src/partials.test.ts',
    invariant: 'I7',
    says: 'Partial of',
  },
  {
    guard: 'a change that was recorded is not checked again',
    file: 'services/template/src/handlers/handle-template-command.ts',
    find: 'loaded.executed ?? (await execute',
    replace: '(await execute',
    faults: [killedAfterChange, killedAfterChange, killedAfterChange],
    test: 'services/gateway/src/templates/lost-replies.test.ts',
    invariant: 'I7',
    says: 'was refused with 422',
  },
  {
    guard: 'a label that was set is not checked again',
    file: 'services/template/src/handlers/handle-label-command.ts',
    find: 'if (executed) return',
    replace: 'if (executed && command.data.label === undefined) return',
    // A deletion is executed after a label whose service was killed, but not after one whose reply was lost.
    faults: [lostLabels, lostLabels],
    test: 'services/gateway/src/templates/lost-replies.test.ts',
    invariant: 'I7',
    says: 'setTemplateLabel of',
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
    guard: 'a partial that is too large for the event store is refused',
    file: 'services/template/src/start.ts',
    find: 'cause instanceof AppendTooLarge)',
    replace: 'cause instanceof AppendTooLarge) || isPartialCommand(command)',
    faults: [],
    single: true,
    invariant: 'I10',
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
    test: 'services/gateway/src/templates/lost-replies.test.ts',
    invariant: 'I7',
    says: 'Template of',
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
    test: 'services/gateway/src/templates/lost-replies.test.ts',
    invariant: 'I7',
    says: 'Partial of',
  },
]
