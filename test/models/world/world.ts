import { createHash, hash } from 'node:crypto'
import { currentSurroundings, runIn, type Surroundings } from './controlled-globals.ts'
import { everything, type Footprint } from './footprint.ts'

/** How often a search lets these happen in one schedule. */
export interface Budgets {
  /** A process stops between two steps. */
  crashes?: number
  /** A step fails, before or after it had its effect. */
  faults?: number
  /** A step fails, and has its effect later. */
  late?: number
  /** Time passes although a process could go on: that process stands still. */
  stalls?: number
}

/** A step that fails, instead of its answer. */
export interface Fault {
  name: string
  /** When it has its effect: before the answer is lost, or at any time later, when the process knows of the failure. */
  effect: 'none' | 'before' | 'late'
  error: () => Error
}

interface Step {
  label: string
  action: () => unknown
  faults: readonly Fault[]
  resolve: (value: never) => void
  reject: (err: unknown) => void
}

interface Timer {
  atMs: number
  fire: () => void
}

interface ProcessOptions {
  /** The process has stopped in the middle. Nothing that it was waiting for will come. */
  onCrash?: () => void
  /** Whether the process never crashes, and none of its steps fails. */
  reliable?: boolean
  /** It is started again when it crashes, so that a crash before it has changed anything makes no difference. */
  isRestarted?: boolean
  /** The name of a process that differs in its name only, and takes its first step before this one. */
  twin?: string
  /**
   * Everything that the process remembers at the head of a loop, where it continues in the same way whatever it has
   * seen before. Undefined if it is elsewhere. Called when it waits.
   */
  remembers?: (process: ModelProcess) => unknown
}

const bornMs = Date.parse('2026-01-01T00:00:00Z')

/** Code of the product that runs as a process. It waits at each step until the search lets it go on. */
export class ModelProcess implements Surroundings {
  readonly name: string
  readonly options: ProcessOptions
  readonly steps: Step[] = []
  readonly timers = new Set<Timer>()
  /** What it has seen. A process is deterministic, so that this is its state. */
  #heard: unknown[] = []
  #texts: string[] = []
  /** How often it has seen something. */
  sights = 0
  status: 'running' | 'ended' | 'crashed' = 'running'
  /** Whether a crash leads to another state than one before its last step. */
  isCrashNew: boolean
  readonly #world: World
  #random = 0
  #clockMs = Number.NaN
  #hasBegun = false

  constructor(world: World, name: string, options: ProcessOptions) {
    this.#world = world
    this.name = name
    this.options = options
    this.isCrashNew = options.isRestarted !== true
  }

  get world(): World {
    return this.#world
  }

  nowMs(): number {
    const { nowMs } = this.#world
    // What it has seen of the clock is a part of its state.
    if (nowMs !== this.#clockMs) this.#heard.push(['clock', nowMs])
    this.#clockMs = nowMs
    return nowMs
  }

  setTimer(ms: number, fire: () => void): () => void {
    const timer = { atMs: this.#world.nowMs + ms, fire: () => runIn(this, fire) }
    if (this.status === 'running') this.timers.add(timer)
    return () => this.timers.delete(timer)
  }

  randomBytes(size: number): Buffer {
    const hash = createHash('shake256', { outputLength: size })
    return hash.update(`${this.name} ${this.#random++}`).digest()
  }

  nextTurn(): Promise<void> {
    return this.#world.nextTurn()
  }

  saw(label: string, result: unknown): void {
    this.#hasBegun = true
    this.sights++
    this.#heard.push([label, result ?? null])
  }

  /** At the head of a loop, earlier observations no longer matter. */
  forget(): void {
    const memory = this.status === 'running' && this.#hasBegun ? this.options.remembers?.(this) : undefined
    if (memory === undefined) return
    this.#heard = [['remembers', memory]]
    this.#texts = []
    // If it looks at the clock again, it sees something.
    this.#clockMs = Number.NaN
  }

  get seen(): readonly string[] {
    for (const item of this.#heard.slice(this.#texts.length)) this.#texts.push(JSON.stringify(item))
    return this.#texts
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  park(step: Step): void {
    // A process that has crashed waits for ever.
    if (this.status === 'running') this.steps.push(step)
  }

  crash(): void {
    this.stop('crashed')
    this.options.onCrash?.()
  }

  stop(status: 'ended' | 'crashed'): void {
    this.status = status
    this.steps.length = 0
    this.timers.clear()
  }
}

/** Something that the world around the processes may do next, such as a server that delivers a message. */
export interface Action {
  label: string
  run: () => void
}

export interface Choice {
  /** Names it among the choices of a state, in all schedules that lead there. */
  key: string
  label: string
  take: () => void
}

/** What a model consists of, for one schedule. */
export interface Scene {
  /** What the processes share, as JSON. */
  shared: () => unknown
  actions?: () => Action[]
  /** Throws if the invariant does not hold. Called in each state. */
  always?: () => void
  /** Throws if the invariant does not hold. Called when nothing can happen any more. */
  atEnd?: () => void
  /** What happens depends on how far away times are, and not on what time it is. All times that matter are in `shared`. */
  isTimeless?: boolean
  /** Whether time may pass when all processes wait for it. Default: false, and the schedule has ended. */
  waits?: () => boolean
}

export class Violation extends Error {
  override readonly name = 'Violation'
}

/** Throws Violation. */
export function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Violation(message)
}

/** The processes of one schedule, their clock, and what may happen next. */
export class World {
  nowMs = bornMs
  readonly #processes: ModelProcess[] = []
  readonly #left: Required<Budgets>
  readonly #errors: unknown[] = []
  #turns = 0
  /** Names of ids in labels. */
  readonly #names = new Map<string, string>()
  /** What the step that is being taken has used. */
  #used = new Map<string, boolean>()
  #stepOf: ModelProcess | undefined
  readonly #isReduced: boolean
  readonly #merges: boolean
  readonly #late: { key: string; label: string; seen: readonly string[]; act: () => void }[] = []

  /** `isReduced`: without crashes that lead where others do. `merges`: processes forget, and it makes no difference what time it is. */
  constructor({ crashes = 0, faults = 0, late = 0, stalls = 0 }: Budgets, { isReduced = true, merges = true } = {}) {
    this.#left = { crashes, faults, late, stalls }
    this.#isReduced = isReduced
    this.#merges = merges
  }

  /** To be called by what processes share, of all that a step reads. */
  reads(what: string): void {
    const name = withoutTimeIds(what)
    if (!this.#used.has(name)) this.#used.set(name, false)
  }

  /** To be called by what processes share, of all that a step changes. */
  changes(what: string): void {
    this.#used.set(withoutTimeIds(what), true)
  }

  /** To be called when what a process has waited for is there, without `tell`. */
  wakes(process: ModelProcess): void {
    this.#changesProcess(process)
  }

  #changesProcess({ name }: ModelProcess): void {
    this.changes(`process ${name}`)
  }

  /** Takes a step, until all processes wait again. */
  async take({ take }: Choice): Promise<Footprint> {
    this.#used = new Map()
    this.#stepOf = undefined
    take()
    await this.settle()
    if (this.#merges) for (const process of this.#processes) process.forget()
    const used = this.#used
    const process = this.#stepOf as ModelProcess | undefined
    if (process) {
      const own = `process ${process.name}`
      process.isCrashNew = used.entries().some(([what, isChanged]) => isChanged && what !== own)
    }
    return used
  }

  spawn(name: string, work: () => Promise<unknown>, options: ProcessOptions = {}): void {
    const process = new ModelProcess(this, name, options)
    this.#changesProcess(process)
    this.#processes.push(process)
    const end = () => {
      if (process.status === 'running') process.stop('ended')
    }
    void runIn(process, () =>
      work().then(end, (err) => {
        if (process.status !== 'running') return
        this.#errors.push(err)
        end()
      }),
    )
  }

  /** Code before the schedule begins: its steps are taken at once. */
  async prepare(work: () => Promise<void>): Promise<void> {
    const process = new ModelProcess(this, 'before', {})
    Object.assign(process, { park: (step: Step) => step.resolve(step.action() as never) })
    await runIn(process, work)
  }

  /** A call of a port: it is made when the search lets the process go on. */
  async step<Result>(label: string, action: () => Result, faults: readonly Fault[] = []): Promise<Result> {
    const process = currentSurroundings()
    if (!(process instanceof ModelProcess)) return action()
    // A search that has left this schedule leaves its processes as they are.
    if (process.world !== this) return new Promise(() => {})
    return new Promise<Result>((resolve, reject) =>
      process.park({ label, action, faults, resolve: resolve as (value: never) => void, reject }),
    )
  }

  nextTurn(): Promise<void> {
    this.#turns++
    return new Promise((resolve) =>
      setImmediate(() => {
        this.#turns--
        resolve()
      }),
    )
  }

  /** Lets everything run until each process waits for a step, for time, or has ended. */
  async settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.#turns > 0)
    const [err] = this.#errors
    if (err !== undefined) throw err
  }

  choices({ actions = () => [], waits = () => false }: Scene): Choice[] {
    const running = this.#processes.filter(({ status }) => status === 'running')
    const steps = running.flatMap((process) =>
      this.#mayBegin(process) ? process.steps.flatMap((step, index) => this.#choicesOf(process, step, index)) : [],
    )
    const counts = new Map<string, number>()
    const events = actions().map(({ label, run }) => {
      const name = renamed(label, new Map())
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return { key: `${name} ${count}`, label, take: run }
    })
    const crashes = this.#left.crashes > 0 ? running.flatMap((process) => this.#crashOf(process)) : []
    const isIdle = steps.length + events.length === 0
    const time = isIdle ? waits() : this.#left.stalls > 0
    const late = this.#late.map(({ key, label, act }, index) => ({
      key,
      label,
      take: () => {
        this.changes(key)
        this.#late.splice(index, 1)
        act()
      },
    }))
    return [...steps, ...events, ...late, ...crashes, ...(time ? this.#passingTime(isIdle) : [])]
  }

  /** A label for people, in which ids are numbered as they occur. */
  labelOf({ label }: Choice): string {
    return renamed(label, this.#names)
  }

  /** If two are alike, one of them begins. */
  #mayBegin({ hasBegun, options: { twin } }: ModelProcess): boolean {
    return twin === undefined || hasBegun || this.processNamed(twin).hasBegun
  }

  #choicesOf(process: ModelProcess, step: Step, index: number): Choice[] {
    const { name } = process
    const { label, action, faults, resolve, reject } = step
    const leave = () => {
      process.steps.splice(index, 1)
      this.#stepOf = process
      this.#changesProcess(process)
    }
    const succeed = () => {
      leave()
      let result: unknown
      try {
        result = runIn(process, action)
      } catch (err) {
        process.saw(label, err instanceof Error ? [err.name, err.message] : err)
        return reject(err)
      }
      process.saw(label, result)
      resolve(result as never)
    }
    const failures = process.options.reliable ? [] : faults.filter(({ effect }) => this.#left[budgetOf(effect)] > 0)
    const act = () => {
      try {
        runIn(process, action)
      } catch {
        // The answer is lost anyway.
      }
    }
    const fail = ({ name: fault, effect, error }: Fault) => {
      leave()
      this.#left[budgetOf(effect)]--
      this.changes(budgetOf(effect))
      if (effect === 'before') act()
      if (effect === 'late') {
        // What it does follows from what its process has seen.
        const late = `${name}, ${process.sights}: ${label}`
        this.changes(late)
        this.#late.push({ key: late, label: `${name}: ${label} — has its effect late`, seen: [...process.seen], act })
      }
      process.saw(label, fault)
      reject(error())
    }
    const key = `${name}, ${index}`
    return [
      { key, label: `${name}: ${label}`, take: succeed },
      ...failures.map((fault) => ({
        key: `${key}, ${fault.name}`,
        label: `${name}: ${label} — ${fault.name}`,
        take: () => fail(fault),
      })),
    ]
  }

  /** To be called by an action of the model: all processes with such names stop, without a use of the budget. */
  crash(name: RegExp): void {
    for (const process of [...this.#processes]) {
      if (process.status === 'running' && name.test(process.name)) this.#crash(process)
    }
  }

  #crash(process: ModelProcess): void {
    this.#changesProcess(process)
    process.crash()
  }

  #crashOf(process: ModelProcess): Choice[] {
    const { name, options, isCrashNew } = process
    if (options.reliable || (this.#isReduced && !isCrashNew)) return []
    const take = () => {
      this.#left.crashes--
      this.changes('crashes')
      this.#crash(process)
    }
    return [{ key: `${name} stops`, label: `${name}: stops (crash)`, take }]
  }

  #passingTime(isIdle: boolean): Choice[] {
    const timers = this.#processes.flatMap(({ timers }) => [...timers])
    const nextMs = timers.reduce((first, { atMs }) => Math.min(first, atMs), Number.POSITIVE_INFINITY)
    if (nextMs === Number.POSITIVE_INFINITY) return []
    const take = () => {
      if (!isIdle) this.#left.stalls--
      this.nowMs = Math.max(this.nowMs, nextMs)
      this.#fireDue()
    }
    return [{ key: 'time', label: `time passes: ${nextMs - this.nowMs} ms`, take }]
  }

  /** Something arrives at a process, such as a reply. Returns whether the process still runs. */
  tell(process: ModelProcess, label: string, run: () => void): boolean {
    this.#changesProcess(process)
    if (process.status !== 'running') return false
    process.isCrashNew = true
    process.saw(label, undefined)
    runIn(process, run)
    return true
  }

  processNamed(name: string): ModelProcess {
    const found = this.#processes.find((process) => process.name === name)
    if (!found) throw new Error(`there is no process ${name}`)
    return found
  }

  /** Whether a process with such a name still runs. */
  runs(name: RegExp): boolean {
    return this.#processes.some((process) => process.status === 'running' && name.test(process.name))
  }

  /** The process whose code calls this, for `tell`. */
  current(): ModelProcess {
    const process = currentSurroundings()
    if (!(process instanceof ModelProcess)) throw new Error('no process of a model runs this')
    return process
  }

  /** To be called by an action of the model. */
  advance(ms: number): void {
    this.nowMs += ms
    this.#fireDue()
  }

  #fireDue(): void {
    this.changes(everything)
    for (const process of this.#running()) {
      process.isCrashNew = true
      for (const timer of [...process.timers]) {
        if (timer.atMs > this.nowMs) continue
        process.timers.delete(timer)
        process.saw('timer', timer.atMs)
        timer.fire()
      }
    }
  }

  /** Running processes, in an order that does not depend on the schedule. */
  #running(): ModelProcess[] {
    return this.#processes.filter(({ status }) => status === 'running').sort(byName)
  }

  /** Two schedules with the same fingerprint can go on in the same ways. */
  fingerprint({ shared, isTimeless = false }: Scene): string {
    const processes = this.#running().map(({ name, seen, steps, timers }) => [
      ...[name, seen, steps.map(({ label }) => label)],
      [...timers].map(({ atMs }) => atMs).sort(),
    ])
    const late = this.#late.map(({ key, seen }) => [key, seen]).sort()
    return this.#hashOf([this.#left, shared(), processes, late], isTimeless && this.#merges)
  }

  /** A fingerprint without what each process has seen. */
  outside({ shared, isTimeless }: Scene): string {
    const processes = this.#running().map(({ name, steps, timers }) => [
      ...[name, steps.map(({ label }) => label)],
      [...timers].map(({ atMs }) => atMs).sort(),
    ])
    return this.#hashOf([this.#left, shared(), processes], isTimeless)
  }

  #hashOf(state: unknown, isTimeless = false): string {
    const text = JSON.stringify([isTimeless ? 0 : this.nowMs - bornMs, state])
    return hash('sha1', renamed(isTimeless ? fromNow(text, this.nowMs) : text, new Map()), 'base64')
  }
}

const budgetOf = (effect: Fault['effect']) => (effect === 'late' ? 'late' : 'faults')

const byName = (one: ModelProcess, other: ModelProcess) => (one.name < other.name ? -1 : 1)

/** A time of the day of a schedule, in ms or as text. */
const times = /\b(?:17672\d{8}|2026-01-01T[\d:.]+Z)/g

function fromNow(text: string, nowMs: number): string {
  return text.replace(times, (time) => `now${(time.includes('T') ? Date.parse(time) : Number(time)) - nowMs}`)
}

const ids = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]{3}_[0-9a-z]{26})\b/g

/** Ids that begin with a time have other values in each schedule. Two of them are taken for one: that adds a dependence. */
const withoutTimeIds = (text: string) => (text.includes('_') ? text.replace(/_(?!0{10})[0-9a-z]{26}\b/g, '_') : text)

/** Ids may have random parts: they are numbered in the order in which they occur. */
export function renamed(text: string, names: Map<string, string>): string {
  return text.replace(ids, (id) => {
    const known = names.get(id)
    if (known !== undefined) return known
    const name = `${/^[a-z]{3}_/.exec(id)?.[0] ?? ''}${names.size + 1}`
    names.set(id, name)
    return name
  })
}
