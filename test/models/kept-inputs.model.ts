import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { GenerationRequested } from '@platen/domain/generation/generation-events.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { commandSubjects, keptInputOf, renderSubjectIds, streams } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { derivedId, derivedUuid } from '@platen/foundation/runtime/ids.ts'
import { mostOfOwner } from '@platen/foundation/runtime/share.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { findMessage } from '@platen/messaging/streams/find-message.ts'
import { eraseGeneration, nothingErased } from '@platen/service-kit/commands/erase-generation.ts'
import { sendRender } from '@platen/service-kit/commands/send-render.ts'
import { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import { leftInputs } from '../../services/notifier/src/janitor/left-inputs.ts'
import { Ages } from '../../services/notifier/src/janitor/left-objects.ts'
import { removeLeftovers } from '../../services/notifier/src/janitor/remove-leftovers.ts'
import { CountedShares } from './world/counted-shares.ts'
import { MemoryBus } from './world/memory-bus.ts'
import { MemoryObjects } from './world/memory-objects.ts'
import { MemoryStore } from './world/memory-store.ts'
import type { Model } from './world/search.ts'
import { type Budgets, must, type World } from './world/world.ts'

const { name: bucket } = buckets.inputKeys
const hourMs = 3_600_000
/** As `kept-inputs.ts` has them. */
const bytesOfKey = 256
const leastBytes = 16 * 1_024
const days = 2

/** A request whose input is kept. Those with one name are equal, and have one Idempotency-Key. */
interface Request {
  name: string
  owner: string
  /** It is refused when its input is kept. */
  isRefused?: boolean
}

interface KeptInputsOptions {
  name: string
  budgets: Budgets
  /** One of each gateway. */
  requests: readonly Request[]
  /** How many keys fit into the bucket. */
  fits: number
  /** Inputs that owners keep, which nobody removes. */
  before?: readonly string[]
  /** Each sweep removes what is left, as often as two hours pass. */
  sweeps?: number
  jumps?: number
  /** The name of a request whose document is erased when it has ended. */
  erases?: string
  wrap?: (bus: Bus) => Bus
}

/** Gateways that keep inputs of two owners, a janitor, and an erasure. */
export function keptInputsModel(options: KeptInputsOptions): Model {
  const {
    name,
    budgets,
    requests,
    fits,
    before = [],
    sweeps = 0,
    jumps = 0,
    erases,
    wrap = (bus: Bus) => bus,
  } = options
  return {
    name,
    invariant:
      'An input that can be read is counted. No owner takes more than it found free, and one that has nothing is not refused. ' +
      'Without a crash or a suspended process, nothing else is counted.',
    budgets,
    async begin(world) {
      const bytesOf = (key: string) => (key.startsWith('bytes.') ? 0 : bytesOfKey)
      const memory = new MemoryBus(world, { name: bucket, maxBytes: fits * bytesOfKey, bytesOf })
      const mostOf = (free: number) => mostOfOwner({}, (free / bytesOfKey) * leastBytes)
      const shares = new CountedShares(world, memory, { bucket, name: 'bytes', periodMs: 24 * hourMs, mostOf })
      const objects = new MemoryObjects(world)
      const store = new MemoryStore(world, { hasNoLog: true, hasNoTimes: true })
      const ids = new Map(requests.map(({ name }) => [name, idOf(world, name)]))
      const ownerOf = new Map(requests.map(({ name, owner }) => [ids.get(name), owner]))
      const owners = [...new Set([...requests.map(({ owner }) => owner), ...before])]
      const busOf = () => wrap(shares.noting(memory.bus))
      const kept = () => new KeptInputs({ bus: busOf(), objects })
      await world.prepare(async () => {
        for (const [index, ownerId] of before.entries()) {
          const id = idOf(world, `before ${index}`)
          ownerOf.set(id, ownerId)
          await kept().keep({ ...inputOf(id), ownerId, days })
        }
      })
      const answers: string[] = []
      const broken: string[] = []
      const answer = (text: string) => {
        world.changes('answers')
        answers.push(text)
      }
      const send = (request: Request, number: number) => {
        const { name, owner, isRefused = false } = request
        const generation_id = ids.get(name) ?? ''
        const work = async () => {
          const isNew = shares.counted(owner) === 0
          const bus = busOf()
          const sender = { bus, objects, keptInputs: new KeptInputs({ bus, objects }) }
          const { input, options } = inputOf(generation_id)
          const job = {
            queue: 'batch' as const,
            request: { generation_id, owner_id: owner, api_key_id: 'key_1' },
            input,
            keep: { days, options, isRequired: true },
            mayShareId: requests.filter((one) => one.name === name).length > 1,
            ...(isRefused && { beforeSending: async () => fail('QUEUE_FULL', 'full') }),
          }
          try {
            await sendRender(sender, job, { ...operatorMetadata(), id: derivedUuid(generation_id) })
            answer(`${number}: accepted`)
          } catch (err) {
            if (!(err instanceof DomainError || err instanceof DependencyUnavailable)) throw err
            answer(`${number}: ${err instanceof DomainError ? err.code : 'unavailable'}`)
            if (isNew && err instanceof DomainError && err.code === 'INPUT_LIMIT_EXCEEDED')
              broken.push(`${owner} is refused, which has nothing`)
          }
        }
        world.spawn(`gateway ${number}`, work)
      }
      for (const [index, request] of requests.entries()) send(request, index + 1)
      const isQueued = async (id: string) =>
        (await findMessage(memory.bus, streams.commands, commandSubjects.renderOne('*', id))) !== undefined
      const retention = { inputDays: 7, pdfDays: 0 }
      const sweep = (number: number) => {
        const work = async () => {
          await world.step('the sweep begins', () => world.changes('sweeps'))
          const stores = { objects, store, keptInputs: kept(), isQueued, retention }
          // A sweep that fails is made again in an hour.
          await unlessUnavailable(removeLeftovers(leftInputs(stores, new Ages(new Date()))))
        }
        world.spawn(`sweep ${number}`, work, number > 1 ? { twin: `sweep ${number - 1}` } : {})
      }
      for (let number = 1; number <= sweeps; number++) sweep(number)
      let isErased = false
      const erase = (id: string) => {
        isErased = true
        const generation = { id, owner: ownerOf.get(id) ?? '', events: store.of(generationStream(id)) }
        const erasing = {
          bus: busOf(),
          objects,
          batches: new Map(),
          attempts: new Map(),
          isDry: false,
          eraseDeadLetters: async () => 0,
          onUnreleased() {},
        }
        const work = async () => {
          const erased = await unlessUnavailable(eraseGeneration(erasing, generation, nothingErased(generation)))
          if (erased) await record(store, id, 'ContentErased', {})
        }
        world.spawn('erasure', work)
      }
      let left = jumps
      const jump = () => {
        left--
        world.advance(2 * hourMs)
      }
      const render = ({ seq, subject, data }: { seq: number; subject: string; data: Uint8Array }) => {
        const { generation_id } = renderSubjectIds(subject)
        const { request } = JSON.parse(Buffer.from(data).toString()).data
        void record(store, generation_id, 'GenerationRequested', request)
        void record(store, generation_id, 'GenerationCancelled', {})
        memory.remove(streams.commands, seq)
      }
      const erased = ids.get(erases ?? '') ?? ''
      const mayErase = () => !isErased && store.of(generationStream(erased)).length === 2
      const held = (owner: string) => {
        const keys = new Set(memory.keysOf(bucket))
        const own = objects.listed().filter(({ key }) => {
          const of = keptInputOf(key)?.generationId ?? ''
          return ownerOf.get(of) === owner && keys.has(of)
        })
        return own.reduce((sum, { size }) => sum + Math.max(size, leastBytes), 0)
      }
      const isExact = !budgets.crashes && jumps === 0 && erases === undefined
      return {
        shared: () => [memory, objects, store, shares, [...answers].sort(), left, isErased],
        actions: () => [
          ...memory.messages(streams.commands).map((message) => ({
            label: `a document of ${renderSubjectIds(message.subject).owner_id} is rendered`,
            run: () => render(message),
          })),
          ...(mayErase() ? [{ label: 'an erasure begins', run: () => erase(erased) }] : []),
          ...(left > 0 ? [{ label: 'two hours pass', run: jump }] : []),
        ],
        waits: () => world.runs(/./),
        always() {
          must(broken.length === 0, `${broken[0]}`)
          shares.check()
          for (const owner of owners) {
            const [has, counted] = [held(owner), shares.counted(owner)]
            must(has <= counted, `${owner} keeps ${has} bytes, of which ${counted} are counted`)
          }
        },
        atEnd() {
          if (!isExact) return
          for (const owner of owners) {
            const [has, counted] = [held(owner), shares.counted(owner)]
            must(has === counted, `${owner} keeps ${has} bytes, and ${counted} are counted`)
          }
        },
      }
    },
  }
}

async function unlessUnavailable<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (err) {
    if (err instanceof DependencyUnavailable) return undefined
    throw err
  }
}

const idOf = (world: World, name: string) => derivedId('pdf', world.nowMs, name)

const inputOf = (generationId: string) => ({
  generationId,
  input: { html: '<p>', options: resolvePdfOptions() },
  options: null,
})

async function record(store: MemoryStore, id: string, type: string, data: GenerationRequested['data'] | object) {
  const stream = generationStream(id)
  const { time, correlation_id } = { ...operatorMetadata(), time: '2026-01-01T00:00:00.000Z' }
  const metadata = { time, correlation_id, causation_id: 'command' }
  await store.append(stream, [{ id: derivedUuid(id, type), type, data: data as never, metadata }], 'any')
}
