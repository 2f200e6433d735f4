import { watch } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { watchBrowsers } from '../../support/browser-processes.ts'
import type { Service } from '../../support/fleet.ts'
import { killNow } from '../../support/kill-now.ts'
import { NotStarted } from '../../support/platen.ts'
import type { TcpProxy, Trap } from '../../support/tcp-proxy.ts'
import { isElection } from './cluster/elections.ts'
import type { Fault } from './evidence.ts'
import { takeAway } from './folder/take-away.ts'
import { leave } from './leaving/clients.ts'
import { usesPartial } from './partials/clients.ts'
import type { Seeded } from './seeded.ts'
import type { LinkTo, System, Target } from './system.ts'
import { deletedLabel } from './templates/clients.ts'
import type { Turns } from './turns.ts'
import type { Workload } from './workload.ts'

export interface Scene {
  system: System
  workload: Pick<Workload, 'onNextCall' | 'once' | 'overfill' | 'client' | 'posts' | 'batches'>
  random: Seeded
  /** Multiplies the time of faults that last. */
  patience: number
  turns: Turns
}

/** Resolves with false if the moment did not come. Everything runs again when it resolves. */
type Inflict = (scene: Scene) => Promise<unknown>

export interface NamedFault {
  name: string
  /** The connection that it needs. */
  to?: LinkTo
  /** No other fault happens at the same time. */
  alone?: boolean
  /** Commands and their replies pass undisturbed. */
  sparesCommands?: true
  /** Whether the fault needs a file system of its own. */
  needsDisk?: boolean
  /** Whether a system can have it. Default: every system. */
  possible?: (system: System) => boolean
  inflict: Inflict
}

/** A moment comes soon under load, unless another fault prevents it. */
const momentWithinMs = 15_000

const of = ({ system: { targets }, random }: Scene, service?: Service): Target =>
  random.pick(targets.filter((target) => !service || target.service === service || target.service === 'platen'))

const secondsOf = ({ random, patience }: Scene, least: number, most: number) =>
  delay(random.between(least * 1_000, most * 1_000) * patience)

async function killed(target: Target) {
  await target.kill()
  for (const link of Object.values(target.links)) link.release('lose')
  await target.start()
}

/** Kills a process of a service at the moment when these bytes pass on one of its connections. */
function killAt(name: string, moment: Moment, afterMs = 0): NamedFault {
  const inflict: Inflict = async (scene) => {
    const { target, met } = await trapped(scene, moment)
    if (!met) return false
    await delay(afterMs)
    await killed(target)
  }
  return { name, to: moment.to, inflict }
}

/** Suspends a process at a moment, for long enough that another process continues its work. */
function suspendAt(name: string, moment: Moment, ms: number): NamedFault {
  const inflict: Inflict = async (scene) => {
    const { target, met } = await trapped(scene, moment)
    if (met) await suspended(target, () => delay(ms))
    target.links[moment.to]?.release(scene.random.pick(['forward', 'lose']))
    return met
  }
  return { name, to: moment.to, inflict }
}

interface Moment extends Trap {
  service: Service
  to: LinkTo
  /** A rare one, that of any process of the service. Default: it is waited for at one process. */
  atAny?: boolean
}

async function trapped(scene: Scene, { service, to, atAny = false, ...trap }: Moment) {
  const target = of(scene, service)
  if (atAny) return trappedAtAny(scene, { service, to, ...trap })
  const met = (await target.links[to]?.trap(trap, momentWithinMs)) ?? false
  return { target, met }
}

async function trappedAtAny({ system: { targets } }: Scene, { service, to, ...trap }: Moment) {
  const own = targets.filter((target) => target.service === service || target.service === 'platen')
  const found = new AbortController()
  const met = await Promise.all(
    own.map(async ({ links }) => {
      const isMet = (await links[to]?.trap(trap, momentWithinMs, found.signal)) ?? false
      if (isMet && found.signal.aborted) links[to]?.release()
      const isFirst = isMet && !found.signal.aborted
      if (isFirst) found.abort()
      return isFirst
    }),
  )
  return { target: own[Math.max(0, met.indexOf(true))] as Target, met: met.includes(true) }
}

const suspended = async (target: { pid(): number }, sleep: () => Promise<unknown>) => {
  const pid = target.pid()
  if (pid === 0) return
  process.kill(pid, 'SIGSTOP')
  try {
    await sleep()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

const restart = (name: string): Inflict => {
  return async ({ system, random }) => {
    await delay(random.between(0, 500))
    await engineOf(system, name)?.restart?.()
  }
}

const engineOf = ({ engines }: System, name: string) => engines.find((engine) => engine.name.endsWith(name))

/** Disturbs the connections of one process, or of all, to one server. */
function disturb(
  name: string,
  to: LinkTo,
  whose: 'one' | 'all',
  act: (link: TcpProxy, scene: Scene) => Promise<unknown>,
) {
  const inflict: Inflict = async (scene) => {
    const targets = whose === 'all' ? scene.system.targets : [of(scene)]
    const links = targets.map(({ links }) => links[to]).filter((link) => link !== undefined)
    await Promise.all(links.map((link) => act(link, scene)))
  }
  return { name, to, inflict }
}

const cutOften = async (link: TcpProxy, times: number, everyMs: number) => {
  for (let n = 0; n < times; n++) {
    link.cut()
    await delay(everyMs)
  }
}

const blackHole = (least: number, most: number) => async (link: TcpProxy, scene: Scene) => {
  link.silent = true
  await secondsOf(scene, least, most)
  link.silent = false
  // Bytes were lost, so the connections are of no use.
  link.cut()
}

const halfOpen = async (link: TcpProxy, scene: Scene) => {
  link.abandon()
  await secondsOf(scene, 3, 8)
  link.cut()
}

const latency = async (link: TcpProxy, scene: Scene) => {
  link.delayMs = 200
  await secondsOf(scene, 3, 6)
  link.delayMs = 0
}

const isFleet = ({ targets }: System) => targets.length > 1

/** An acknowledgement of JetStream, and the reply of a handler to a gateway. */
const ack = /PUB \$JS\.ACK\.\S+ (?:\S+ )?4\r\n\+ACK\r\n/g
/** The ack of a document whose client waits for it. */
const renderAck = /PUB \$JS\.ACK\.\S*COMMANDS\.render-(?:tools-)?interactive\.\S+ (?:\S+ )?4\r\n\+ACK\r\n/g
const reply = /PUB replies\.\S+ \d+\r\n\{"ok":[^\r]*\r\n/g
const labelled = /PUB replies\.\S+ \d+\r\n\{"ok":true,"value":\{"template_id":"\w+","revision":\d+,"labels":[^\r]*\r\n/g
const redelivered = /PUB replies\.\S+ \d+\r\n\{"ok":true,"value":\{"redelivered":[^\r]*\r\n/g

/**
 * Drops some messages of all processes to NATS without breaking a connection, as if the server were killed after it has
 * read them.
 */
const lose = (message: RegExp, share: number, withinMs = momentWithinMs): Inflict => {
  return async (scene) => {
    const { system, random } = scene
    let lost = 0
    const losing = (sent: string) => {
      return sent.replace(message, (text) => {
        if (random.fraction() >= share) return text
        lost += 1
        return ''
      })
    }
    const links = system.targets.map(({ links }) => links.nats).filter((link) => link !== undefined)
    for (const link of links) link.changing = { request: losing }
    const enough = random.between(15, 30)
    for (const until = Date.now() + withinMs; lost < enough && Date.now() < until; ) await delay(50)
    for (const link of links) link.changing = {}
    return lost > 0
  }
}

/**
 * Delays an append of the template service until the client of the command has stopped waiting, and twice has sent
 * another.
 */
const stall = (name: string, type: string): NamedFault => ({
  name,
  to: 'events',
  possible: isFleet,
  async inflict(scene) {
    const { target, met } = await trapped(scene, {
      service: 'template',
      to: 'events',
      direction: 'request',
      text: type,
      hold: 'it',
    })
    if (met) await secondsOf(scene, 10, 13)
    target.links.events?.release()
    return met
  },
})

/** A gateway knows what was appended, and its views do not: only its subscription is held back. */
const lateViews = (name: string, type: string): NamedFault => ({
  name,
  to: 'events',
  possible: isFleet,
  async inflict(scene) {
    const gateways = scene.system.targets.filter(({ service }) => service === 'gateway')
    const links = gateways.flatMap(({ links }) => links.events ?? [])
    const recorded: Trap = { direction: 'answer', text: type, hold: 'subscription' }
    const met = await Promise.all(links.map((link) => link.trap(recorded, momentWithinMs)))
    if (met.includes(true)) await secondsOf(scene, 4, 6)
    for (const link of links) link.release()
    return met.includes(true)
  },
})

/** A moment of the gateways that accept batches, or of the one that runs them. */
const batchMoment = (text: string): Moment => ({
  service: 'gateway',
  to: 'events',
  direction: 'request',
  text,
  hold: 'it',
  atAny: true,
})
const itemMoment: Moment = {
  service: 'gateway',
  to: 'nats',
  direction: 'request',
  text: '"batch":{"id":"bat_',
  hold: 'it',
  atAny: true,
}
/** Leases of ten seconds, and the time until another gateway has it. */
const longerThanLeaseMs = 15_000

const hourMs = 3_600_000

/** The clock of a process jumps, either way, and back. */
const wrongClock = (name: string, ms: number): NamedFault => ({
  name,
  possible: ({ targets }) => targets.some(({ clock }) => clock !== undefined),
  async inflict(scene) {
    const { random, system } = scene
    const { clock } = random.pick(system.targets)
    clock?.shift(random.pick([-ms, ms]))
    await secondsOf(scene, 4, 8)
    clock?.shift(0)
  },
})

const has = (name: string) => (system: System) => engineOf(system, name) !== undefined

export const powerCut = 'the power is cut'
export const noBrowser = 'no browser starts'

/** Faults of processes: the matrix of docs/understand/faults.md. Two of them do not happen at once. */
export const processFaults: readonly NamedFault[] = [
  { name: 'a process is killed', inflict: async (scene) => killed(of(scene)) },
  {
    name: 'a process is stopped with SIGTERM',
    async inflict(scene) {
      const target = of(scene)
      await target.stop()
      await target.start()
    },
  },
  {
    name: 'a process is suspended and goes on',
    inflict: (scene) => suspended(of(scene), () => secondsOf(scene, 2, 6)),
  },
  {
    name: 'a renderer is suspended for longer than its commands and leases',
    inflict: (scene) => suspended(of(scene, 'renderer'), () => delay(15_000)),
  },
  {
    name: 'all processes are killed and started in random order',
    async inflict({ system: { targets }, random }) {
      await Promise.all(targets.map((target) => target.kill()))
      for (const { links } of targets) for (const link of Object.values(links)) link.release('lose')
      const starting: Promise<void>[] = []
      for (const target of random.shuffle(targets)) {
        starting.push(target.start())
        await delay(random.between(0, 300))
      }
      await Promise.all(starting)
    },
  },
  {
    name: 'a rolling restart',
    async inflict({ system: { targets } }) {
      for (const target of targets) {
        await target.stop()
        await target.start()
      }
    },
  },
  {
    name: 'the views of a process are deleted',
    async inflict({ system, random }) {
      const withViews = ['gateway', 'notifier', 'platen']
      const target = random.pick(system.targets.filter(({ service }) => withViews.includes(service)))
      await target.kill()
      await target.deleteViews()
      await target.start()
    },
  },
  {
    name: 'processes of Chromium are killed',
    async inflict(scene) {
      const target = of(scene, 'renderer')
      await using browsers = watchBrowsers(() => target.pid())
      for (let n = 0; n < 3; n++) {
        const living = await browsers.living()
        if (living.length > 0) killNow(scene.random.pick(living).pid)
        await delay(500)
      }
    },
  },
  {
    name: 'a process is suspended while it starts',
    alone: true,
    async inflict(scene) {
      const target = of(scene)
      await target.kill()
      for (const link of Object.values(target.links)) link.release('lose')
      const starting = target.startOnce()
      starting.catch(() => {})
      await delay(scene.random.between(20, 2_500))
      const all = scene.random.fraction() < 0.5
      // The process alone, or with its browsers.
      await suspended({ pid: () => (all ? -target.pid() : target.pid()) }, () => secondsOf(scene, 11, 16))
      try {
        await starting
      } catch (err) {
        await target.start()
        throw err
      }
    },
  },
  {
    name: 'a gateway is killed before it publishes a command',
    to: 'nats',
    async inflict(scene) {
      const target = of(scene, 'gateway')
      // A request with an Idempotency-Key is not answered before the next message, either.
      const { text, post } = scene.workload.once({ gateway: target.name })
      const trapping = target.links.nats?.trap({ direction: 'request', text, hold: 'it' }, momentWithinMs)
      const posting = post()
      const met = (await trapping) ?? false
      // Time for a premature answer.
      if (met) await delay(500)
      if (met) await killed(target)
      await posting
      return met
    },
  },
  killAt(
    'a gateway is killed after the PubAck, before its answer',
    { service: 'gateway', to: 'nats', direction: 'request', text: 'PUB commands.render.', hold: 'replies' },
    50,
  ),
  killAt(
    'a gateway is killed while a client waits for its document',
    { service: 'gateway', to: 'nats', direction: 'request', text: 'PUB commands.render.interactive.' },
    50,
  ),
  ...Object.entries({
    'after the items of a batch are stored, before it is recorded': batchMoment('BatchCreated'),
    'when all items of a batch have ended, before its end is recorded': batchMoment('BatchEnded'),
  }).flatMap(([when, moment]) => [
    killAt(`a gateway is killed ${when}`, moment),
    suspendAt(`a gateway is suspended for longer than its lease ${when}`, moment, longerThanLeaseMs),
  ]),
  killAt(
    'a gateway is killed after a batch is recorded, before its answer',
    { ...batchMoment('BatchCreated'), hold: 'replies' },
    50,
  ),
  killAt('a gateway is killed while it requests the items of a batch', itemMoment),
  suspendAt(
    'a gateway is suspended for longer than its lease while it requests the items of a batch',
    itemMoment,
    longerThanLeaseMs,
  ),
  killAt('a template service is killed before an append', {
    service: 'template',
    to: 'events',
    direction: 'request',
    text: 'TemplateUpdated',
    hold: 'it',
  }),
  killAt(
    'a template service is killed after an append, before its answer',
    { service: 'template', to: 'events', direction: 'request', text: 'TemplateUpdated', hold: 'replies' },
    50,
  ),
  ...Object.entries({
    'a partial is changed': 'PartialUpdated',
    'a template is created': 'TemplateCreated',
    'a template is deleted': 'TemplateDeleted',
  }).map(([what, text]) =>
    killAt(
      `a template service is killed after ${what}, before its answer`,
      { service: 'template', to: 'events', direction: 'request', text, hold: 'replies' },
      50,
    ),
  ),
  killAt(
    'a template service is killed after a label is set, before its answer',
    {
      service: 'template',
      to: 'events',
      direction: 'request',
      text: `"label":"${deletedLabel}"`,
      hold: 'replies',
      atAny: true,
    },
    50,
  ),
  killAt(
    'a template service is killed after a change with a partial, before its answer',
    { service: 'template', to: 'events', direction: 'request', text: usesPartial, hold: 'replies', atAny: true },
    50,
  ),
  killAt(
    'a renderer is killed after it has fetched a command',
    { service: 'renderer', to: 'nats', direction: 'answer', text: 'MSG commands.render.' },
    20,
  ),
  killAt('a renderer is killed after the file, before the event', {
    service: 'renderer',
    to: 'events',
    direction: 'request',
    text: 'GenerationCompleted',
    hold: 'it',
  }),
  killAt('a renderer is killed after the event, before the ack', {
    service: 'renderer',
    to: 'nats',
    direction: 'request',
    text: '+ACK',
    hold: 'it',
  }),
  // Another renderer gets the command after ten seconds.
  suspendAt(
    'a renderer is suspended after the file, before the event',
    { service: 'renderer', to: 'events', direction: 'request', text: 'GenerationCompleted', hold: 'it' },
    20_000,
  ),
  killAt(
    'a relay is killed between the PubAck and its checkpoint',
    { service: 'renderer', to: 'nats', direction: 'request', text: 'PUB events.generation.', hold: 'replies' },
    50,
  ),
  {
    name: noBrowser,
    alone: true,
    possible: isFleet,
    async inflict(scene) {
      const { system } = scene
      await system.browsers.fail()
      try {
        await Promise.all(system.targets.filter(({ service }) => service === 'renderer').map(killed))
        await secondsOf(scene, 2, 4)
      } finally {
        await system.browsers.work()
      }
    },
  },
  {
    name: 'more generations are queued than a list looks at',
    alone: true,
    possible: isFleet,
    async inflict({ system, workload }) {
      const renderers = system.targets.filter(({ service }) => service === 'renderer')
      await Promise.all(renderers.map((renderer) => renderer.stop()))
      const cancel = await workload.overfill()
      await Promise.all(renderers.map((renderer) => renderer.start()))
      await cancel()
    },
  },
  killAt(
    'a notifier is killed after a redelivery is recorded, before its answer',
    { service: 'notifier', to: 'events', direction: 'request', text: 'DeliveryRescheduled', hold: 'replies' },
    50,
  ),
  killAt(
    'a notifier is killed before a POST',
    { service: 'notifier', to: 'nats', direction: 'answer', text: 'MSG events.generation.completed' },
    5,
  ),
  killAt(
    'a notifier is killed after it has scheduled a webhook, before the ack',
    { service: 'notifier', to: 'events', direction: 'request', text: 'DeliveryScheduled', hold: 'replies' },
    50,
  ),
  {
    name: 'both notifiers are killed during a POST',
    possible: isFleet,
    async inflict({ system, workload }) {
      const called = Promise.withResolvers<boolean>()
      workload.onNextCall(() => called.resolve(true))
      const met = await Promise.race([called.promise, delay(momentWithinMs, false)])
      const notifiers = system.targets.filter(({ service }) => service === 'notifier')
      if (met) await Promise.all(notifiers.map(killed))
      return met
    },
  },
  killAt('a notifier is killed after a POST, before its event', {
    service: 'notifier',
    to: 'events',
    direction: 'request',
    text: 'DeliverySucceeded',
    hold: 'it',
  }),
  {
    name: powerCut,
    alone: true,
    needsDisk: true,
    // In separate processes, nats-server is not configured by Platen.
    possible: (system) => system.disk !== undefined && !isFleet(system) && system.objectFolder !== undefined,
    async inflict(scene) {
      const { system, workload, random } = scene
      const target = of(scene)
      await secondsOf(scene, 1, 4)
      let answered = 0
      const posting = Array.from({ length: 24 }, async () => {
        await workload.once().post()
        answered += 1
      })
      const enough = random.between(6, 20)
      for (const until = Date.now() + 5_000; answered < enough && Date.now() < until; ) await delay(1)
      // Killed first, so that nothing is answered after the cut.
      const killing = target.kill()
      await system.disk?.cutPower()
      await killing
      await system.disk?.restorePower()
      await target.start()
      await Promise.all(posting)
    },
  },
  {
    name: 'the disk is full',
    alone: true,
    needsDisk: true,
    possible: ({ disk }) => disk !== undefined,
    async inflict(scene) {
      const { system } = scene
      await system.disk?.fill()
      await secondsOf(scene, 3, 10)
      await system.disk?.drain()
      // After a write error nats-server refuses writes. The single node restarts it, else its operator does.
      if (isFleet(system)) await engineOf(system, 'nats-server')?.restart?.()
    },
  },
  {
    name: 'the folder of the objects is away and comes back',
    // A process that starts meanwhile makes a new one.
    alone: true,
    possible: ({ objectFolder }) => objectFolder !== undefined,
    inflict: (scene) =>
      takeAway(scene.system.objectFolder ?? '', async () => {
        await readWhileAway(scene)
        await secondsOf(scene, 2, 5)
      }),
  },
  {
    name: 'renderers are killed when a file was written',
    possible: ({ objectFolder }) => objectFolder !== undefined,
    async inflict({ system }) {
      const written = Promise.withResolvers<boolean>()
      const watcher = watch(system.objectFolder ?? '', { recursive: true }, () => written.resolve(true))
      const met = await Promise.race([written.promise, delay(momentWithinMs, false)])
      watcher.close()
      const renderers = system.targets.filter(({ service }) => ['renderer', 'platen'].includes(service))
      if (met) await Promise.all(renderers.map(killed))
      return met
    },
  },
]

/** What a client asks for while the folder of the objects is away: a document that is there. */
async function readWhileAway({ system, workload: { client, posts } }: Scene): Promise<void> {
  const [id] = posts.filter(({ told }) => told?.status === 'completed').flatMap(({ id }) => id ?? [])
  if (id === undefined) return
  const path = `/v1/generations/${id}/file`
  for (const gateway of system.gateways)
    await client.send(gateway, { operation: 'getGenerationFile', path, expected: [200] })
}

/** Faults of servers and of the connections to them. They happen beside faults of processes. */
export const networkFaults: readonly NamedFault[] = [
  { name: 'nats-server is killed and started', inflict: restart('nats-server') },
  {
    name: 'nats-server is suspended',
    async inflict(scene) {
      const nats = engineOf(scene.system, 'nats-server')
      if (nats) await suspended(nats, () => secondsOf(scene, 2, 6))
    },
  },
  {
    name: 'a consumer is deleted',
    async inflict({ system, random }) {
      const connection = await system.nats()
      try {
        const manager = await connection.jetstreamManager()
        const stream = random.pick(['COMMANDS', 'EVENTS'])
        const consumers = await manager.consumers.list(stream).next()
        await manager.consumers.delete(stream, random.pick(consumers).name)
      } finally {
        await connection.close()
      }
    },
  },
  {
    name: 'EventStoreDB is killed and started',
    possible: (system) => engineOf(system, 'EventStoreDB')?.restart !== undefined,
    inflict: restart('EventStoreDB'),
  },
  {
    name: 'the event store is suspended',
    possible: has('EventStoreDB'),
    async inflict(scene) {
      const store = engineOf(scene.system, 'EventStoreDB')
      if (store) await suspended(store, () => secondsOf(scene, 3, 8))
    },
  },
  {
    name: 'the object store is suspended',
    possible: has('S3'),
    async inflict(scene) {
      const store = engineOf(scene.system, 'S3')
      if (store) await suspended(store, () => secondsOf(scene, 3, 10))
    },
  },
  {
    name: 'an append of a template is answered after its deadline',
    to: 'events',
    async inflict(scene) {
      const { target, met } = await trapped(scene, {
        service: 'template',
        to: 'events',
        direction: 'request',
        text: 'TemplateUpdated',
        hold: 'replies',
      })
      if (met) await delay(8_000)
      target.links.events?.release()
      return met
    },
  },
  wrongClock('the clock of a process is wrong by an hour', hourMs),
  wrongClock('the clock of a process is wrong by a day', 24 * hourMs),
  {
    name: 'clients leave while they send and download',
    inflict: ({ workload: { client, batches }, random }) => leave({ client, batches, random }),
  },
  lateViews('the views of the gateways are late with a rotated key', 'ApiKeyRotated'),
  lateViews('the views of the gateways are late with a changed template', 'TemplateUpdated'),
  {
    name: 'the event store does not answer the gateways',
    to: 'events',
    possible: isFleet,
    sparesCommands: true,
    async inflict(scene) {
      const gateways = scene.system.targets.filter(({ service }) => service === 'gateway')
      const links = gateways.flatMap(({ links }) => links.events ?? [])
      await Promise.all(links.map((link) => blackHole(6, 9)(link, scene)))
    },
  },
  {
    name: 'the answer to an append of a renderer is lost',
    to: 'events',
    async inflict(scene) {
      const { target, met } = await trapped(scene, {
        service: 'renderer',
        to: 'events',
        direction: 'request',
        text: 'GenerationCompleted',
        hold: 'replies',
      })
      if (met) await delay(500)
      target.links.events?.release('lose')
      target.links.events?.cut()
      return met
    },
  },
  {
    name: 'an upload breaks off',
    to: 'objects',
    async inflict(scene) {
      const moment: Moment = { service: 'renderer', to: 'objects', direction: 'request', text: '/pdfs/' }
      const { target, met } = await trapped(scene, moment)
      target.links.objects?.cut()
      return met
    },
  },
  { name: 'acknowledgements are lost', to: 'nats', inflict: lose(ack, 0.5) },
  { name: 'acknowledgements of synchronous documents are lost', to: 'nats', inflict: lose(renderAck, 0.7, 20_000) },
  { name: 'replies to commands are lost', to: 'nats', inflict: lose(reply, 0.25) },
  { name: 'replies to labels are lost', to: 'nats', inflict: lose(labelled, 0.5, 30_000) },
  { name: 'replies to redeliveries are lost', to: 'nats', inflict: lose(redelivered, 0.5, 30_000) },
  stall('the release of a slug stalls', 'SlugReleased'),
  stall('the reservation of a slug stalls', 'SlugReserved'),
  stall('the creation of a template stalls', 'TemplateCreated'),
  disturb('connections to NATS are cut', 'nats', 'all', (link) => cutOften(link, 3, 300)),
  disturb('NATS is a black hole for a process', 'nats', 'one', blackHole(3, 8)),
  disturb('NATS is slow', 'nats', 'all', latency),
  disturb('a connection to NATS is half open', 'nats', 'one', halfOpen),
  disturb('connections to the event store are cut 20 times', 'events', 'all', (link) => cutOften(link, 20, 100)),
  disturb('the event store is a black hole', 'events', 'all', blackHole(3, 8)),
  disturb('the event store is slow', 'events', 'all', latency),
  disturb('a connection to the event store is half open', 'events', 'one', halfOpen),
  disturb('connections to the object store are cut', 'objects', 'all', (link) => cutOften(link, 10, 100)),
  disturb('the object store is a black hole', 'objects', 'all', blackHole(3, 10)),
]

/** The faults that this system can have. */
export function possibleIn(system: System, faults: readonly NamedFault[]): NamedFault[] {
  const links = new Set(system.targets.flatMap(({ links }) => Object.keys(links)))
  return faults.filter(({ to, possible }) => (to === undefined || links.has(to)) && (possible?.(system) ?? true))
}

/** Inflicts the faults one after the other. */
export async function inflict(faults: readonly NamedFault[], scene: Scene, onFault: (fault: Fault) => void) {
  const { turns, random } = scene
  for (const { name, inflict, alone = false, sparesCommands } of faults) {
    await delay(random.between(200, 1_500))
    let atMs = Date.now()
    const act = () => {
      atMs = Date.now()
      return inflict(scene)
    }
    const inflicted = await (alone ? turns.alone(act) : turns.beside(act)).then(
      (seen) => ({ met: seen !== false, ...(isElection(seen) && { election: seen }) }),
      (err: unknown) =>
        err instanceof NotStarted ? { met: true, unstarted: err.message } : { met: false, note: String(err) },
    )
    onFault({ name, atMs, endedMs: Date.now(), ...inflicted, ...(sparesCommands && { sparesCommands }) })
  }
}
