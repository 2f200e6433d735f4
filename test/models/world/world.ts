import { createHash } from 'node:crypto'
import { currentSurroundings, runIn, type Surroundings } from './controlled-globals.ts'

/** How often a search lets these happen in one schedule. */
export interface Budgets {
  /** A process stops between two steps. */
  crashes?: number
  /** A step fails, before or after it had its effect. */
  faults?: number
  /** Time passes although a process could go on: that process stands still. */
  stalls?: number
}

/** A step that fails, instead of its answer. `after`: it had its effect. */
export interface Fault {
  name: string
  after: boolean
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
  /** It neither crashes, nor does one of its steps fail. */
  reliable?: boolean
}

/** Code of the product that runs as a process. It waits at each step until the search lets it go on. */
export class ModelProcess implements Surroundings {
  readonly name: string
  readonly options: ProcessOptions
  readonly steps: Step[] = []
  readonly timers = new Set<Timer>()
  /** What it has seen. A process is deterministic, so that this is its state. */
  readonly #heard: unknown[] = []
  readonly #texts: string[] = []
  status: 'running' | 'ended' | 'crashed' = 'running'
  readonly #world: World
  #random = 0

  constructor(world: World, name: string, options: ProcessOptions) {
    this.#world = world
    this.name = name
    this.options = options
  }

  get world(): World {
    return this.#world
  }

  nowMs(): number {
    return this.#world.nowMs
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
    this.#heard.push([label, result ?? null])
  }

  get seen(): readonly string[] {
    for (const item of this.#heard.slice(this.#texts.length)) this.#texts.push(JSON.stringify(item))
    return this.#texts
  }

  get hasBegun(): boolean {
    return this.#heard.length > 0
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

const bornMs = Date.parse('2026-01-01T00:00:00Z')

/** The processes of one schedule, their clock, and what may happen next. */
export class World {
  nowMs = bornMs
  readonly #processes: ModelProcess[] = []
  readonly #left: Required<Budgets>
  readonly #errors: unknown[] = []
  #turns = 0
  /** Of ids in labels. */
  readonly #names = new Map<string, string>()

  constructor({ crashes = 0, faults = 0, stalls = 0 }: Budgets) {
    this.#left = { crashes, faults, stalls }
  }

  spawn(name: string, work: () => Promise<unknown>, options: ProcessOptions = {}): void {
    const process = new ModelProcess(this, name, options)
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
    const steps = running.flatMap((process) => process.steps.flatMap((step) => this.#choicesOf(process, step)))
    const events = actions().map(({ label, run }) => ({ label, take: run }))
    const crashes = this.#left.crashes > 0 ? running.flatMap((process) => this.#crashOf(process)) : []
    const isIdle = steps.length + events.length === 0
    const time = isIdle ? waits() : this.#left.stalls > 0
    const choices = [...steps, ...events, ...crashes, ...(time ? this.#passingTime(isIdle) : [])]
    return choices.map(({ label, take }) => ({ label: renamed(label, this.#names), take }))
  }

  #choicesOf(process: ModelProcess, step: Step): Choice[] {
    const { name } = process
    const { label, action, faults, resolve, reject } = step
    const leave = () => void process.steps.splice(process.steps.indexOf(step), 1)
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
    const failures = this.#left.faults > 0 && !process.options.reliable ? faults : []
    const fail = ({ name: fault, after, error }: Fault) => {
      leave()
      this.#left.faults--
      try {
        if (after) runIn(process, action)
      } catch {
        // The answer is lost anyway.
      }
      process.saw(label, fault)
      reject(error())
    }
    return [
      { label: `${name}: ${label}`, take: succeed },
      ...failures.map((fault) => ({ label: `${name}: ${label} — ${fault.name}`, take: () => fail(fault) })),
    ]
  }

  /** To be called by an action of the model: all processes with such names stop, without a use of the budget. */
  crash(name: RegExp): void {
    for (const process of [...this.#processes]) {
      if (process.status === 'running' && name.test(process.name)) process.crash()
    }
  }

  #crashOf(process: ModelProcess): Choice[] {
    const { name, options } = process
    // Before its first step it has done nothing.
    if (options.reliable || !process.hasBegun) return []
    const take = () => {
      this.#left.crashes--
      process.crash()
    }
    return [{ label: `${name}: stops (crash)`, take }]
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
    return [{ label: `time passes: ${nextMs - this.nowMs} ms`, take }]
  }

  /** Something arrives at a process, such as a reply. Returns whether the process still runs. */
  tell(process: ModelProcess, label: string, run: () => void): boolean {
    if (process.status !== 'running') return false
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
    for (const process of this.#processes) {
      for (const timer of [...process.timers]) {
        if (timer.atMs > this.nowMs) continue
        process.timers.delete(timer)
        process.saw('timer', timer.atMs)
        timer.fire()
      }
    }
  }

  /** Two schedules with the same fingerprint can go on in the same ways. */
  fingerprint({ shared }: Scene): string {
    const running = this.#processes.filter(({ status }) => status === 'running')
    const processes = running
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, seen, steps, timers }) => [
        ...[name, seen, steps.map(({ label }) => label)],
        [...timers].map(({ atMs }) => atMs).sort(),
      ])
    const state = JSON.stringify([this.nowMs - bornMs, this.#left, shared(), processes])
    return createHash('sha1').update(renamed(state, new Map())).digest('base64')
  }
}

const ids = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]{3}_[0-9a-z]{26})\b/g

/** Ids may have random parts: they are numbered in the order in which they occur. */
function renamed(text: string, names: Map<string, string>): string {
  return text.replace(ids, (id) => {
    const known = names.get(id)
    if (known !== undefined) return known
    const name = `${/^[a-z]{3}_/.exec(id)?.[0] ?? ''}${names.size + 1}`
    names.set(id, name)
    return name
  })
}
