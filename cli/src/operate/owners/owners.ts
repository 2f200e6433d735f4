import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { type OwnerCommand, type OwnerState, ownerDecider } from '@platen/domain/owner/decide-owner.ts'
import type { OwnerEvent } from '@platen/domain/owner/owner-events.ts'
import { changeOwner, createOwner } from '@platen/domain/owner/owners.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { history } from '@platen/event-store/history.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { type Command, defineCommand, one } from '../../frame/command.ts'
import { dryRun, nameOption } from '../../frame/options.ts'
import { withoutAppends } from '../../frame/without-appends.ts'

type Owner = Exclude<OwnerState, { status: 'absent' }>

export const createOwnerCommand = defineCommand({
  name: 'owners create',
  summary: 'create an owner of API keys and templates, and print its id',
  options: { name: { ...nameOption('of the owner'), required: true }, ...dryRun },
  async run({ openStore, print }, { name, json, 'dry-run': isDryRun }) {
    const store = await openStore()
    if (isDryRun) return print(json ? JSON.stringify({ name, dry_run: true }) : `an owner ${name} would be created`)
    const id = await createOwner(store, name)
    print(json ? JSON.stringify({ id, name }) : id)
  },
})

export const listOwners = defineCommand({
  name: 'owners list',
  summary: 'list all owners',
  async run({ openStore, print }, { json }) {
    for (const [id, { status, name }] of await readOwners(await openStore())) {
      print(json ? JSON.stringify({ id, status, name }) : [id, status.padEnd(8), name].join('  '))
    }
  },
})

export const renameOwner = defineCommand({
  name: 'owners rename',
  argument: one('owner'),
  summary: 'change the name of an owner',
  options: { name: { ...nameOption('the new name'), required: true }, ...dryRun },
  async run({ openStore, print }, { argument, name, json, 'dry-run': isDryRun }) {
    const store = await openStore()
    const id = await findOwner(store, argument)
    await changeOwner(isDryRun ? withoutAppends(store) : store, id, { type: 'RenameOwner', data: { name } })
    if (isDryRun) return print(json ? JSON.stringify({ id, name, dry_run: true }) : `${id} would be named ${name}`)
    print(json ? JSON.stringify({ id, name }) : `${id} is named ${name}`)
  },
})

export const disableOwner = simpleCommand('owners disable', 'refuse the API keys of an owner', () => ({
  command: { type: 'DisableOwner', data: {} },
  result: { status: 'disabled' },
  done: 'is disabled: its API keys are refused; queued work and webhooks continue',
}))

export const enableOwner = simpleCommand('owners enable', 'accept the API keys of a disabled owner again', () => ({
  command: { type: 'EnableOwner', data: {} },
  result: { status: 'active' },
  done: 'is enabled',
}))

export const rotateWebhookSecret = simpleCommand(
  'owners rotate-webhook-secret',
  'sign webhooks of an owner with a new secret; the old secret also signs for a day',
  () => ({
    command: { type: 'RotateOwnerWebhookSecret', data: { at: new Date().toISOString() } },
    result: { webhook_secret: 'rotated' },
    done: 'has a new webhook secret; read it with GET /v1/webhook-secret',
  }),
)

function simpleCommand(
  name: string,
  summary: string,
  change: () => { command: OwnerCommand; result: object; done: string },
): Command {
  return defineCommand({
    name,
    argument: one('owner'),
    summary,
    options: dryRun,
    async run({ openStore, print }, { argument, json, 'dry-run': isDryRun }) {
      const store = await openStore()
      const id = await findOwner(store, argument)
      const { command, result, done } = change()
      await changeOwner(isDryRun ? withoutAppends(store) : store, id, command)
      if (isDryRun) {
        const would = { id, ...result, dry_run: true }
        return print(json ? JSON.stringify(would) : `nothing is changed; without --dry-run: ${id} ${done}`)
      }
      print(json ? JSON.stringify({ id, ...result }) : `${id} ${done}`)
    },
  })
}

/** The id of the owner with this id, or with this name if only one has it. */
export async function findOwner(store: EventStore, idOrName: string): Promise<string> {
  const owners = await readOwners(store)
  if (owners.has(idOrName)) return idOrName
  const named = [...owners].filter(([, { name }]) => name === idOrName)
  const [found, another] = named
  if (!found) throw new Error(`there is no owner ${idOrName}; see owners list`)
  if (another) throw new Error(`${named.length} owners are named ${idOrName}; give the id`)
  return found[0]
}

/** All owners by id, the default owner first. */
async function readOwners(store: EventStore): Promise<Map<string, Owner>> {
  const states = new Map([[defaultOwnerId, ownerDecider(defaultOwnerId).initialState]])
  for await (const event of history(store, { categories: ['owner'] })) {
    const id = aggregateIdOf(event.stream)
    const { initialState, evolve } = ownerDecider(id)
    states.set(id, evolve(states.get(id) ?? initialState, domainEvent<OwnerEvent>(event), placeOf(event)))
  }
  return new Map([...states].flatMap(([id, state]) => (state.status === 'absent' ? [] : [[id, state] as const])))
}
