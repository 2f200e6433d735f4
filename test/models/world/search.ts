import { newId } from '@platen/foundation/runtime/ids.ts'
import { controlGlobals } from './controlled-globals.ts'
import { areIndependent, type Footprint } from './footprint.ts'
import { type Budgets, type Choice, type Scene, Violation, World } from './world.ts'

export interface Model {
  name: string
  /** The invariant in words. */
  invariant: string
  budgets: Budgets
  /** Sets a schedule up: it spawns the processes. */
  begin: (world: World) => Promise<Scene> | Scene
}

export interface Bounds {
  /** Distinct states after which the search ends. */
  states: number
  /** Steps of one schedule. */
  depth: number
  /** Default: true. False takes every step in every state, for tests of the reduction. */
  isReduced?: boolean
  /** Default: true. False keeps states apart that differ only in what makes no difference any more, for tests of that. */
  merges?: boolean
  /** Counts states from outside, too. */
  fromOutside?: boolean
}

export interface Found {
  /** How often the processes were run from the start. */
  schedules: number
  /** Distinct states. */
  states: number
  /** States that differ in more than what processes have seen. 0 if they are not counted. */
  outside: number
  /** Schedules that ran until nothing could happen any more. */
  ends: number
  /** The longest schedule. */
  depth: number
  /** Whether there are states beyond the bounds. */
  cut: boolean
  ms: number
  violation?: { message: string; schedule: readonly string[] }
}

/** A state on the way from the start to the present one. */
interface Visit {
  /** What has led here. */
  key: string
  label: string
  /** The choices that are still to be taken. */
  left: string[]
  /** The choices that need not be taken here: each leads to states that are looked at elsewhere. */
  asleep: Map<string, Footprint>
}

/**
 * Searches all schedules, depth first. A schedule cannot be copied, so a branch is reached by running the processes
 * from the start with the same choices (stateless search). A known state is not entered again. If two steps use nothing
 * in common, both orders lead to one state, which is entered once (sleep sets, after Godefroid). All states are visited
 * nevertheless.
 */
export async function search(model: Model, bounds: Bounds): Promise<Found> {
  using _ = controlGlobals()
  // Ids that are made later only count on: no schedule takes random bytes for them, and another one none.
  newId('req', Date.now())
  using __ = withoutStacks()
  return await new Search(model, bounds).run()
}

/** A server's 404 is an error of the client, and its stack takes most of the time of a step. */
function withoutStacks(): Disposable {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  return {
    [Symbol.dispose]() {
      Error.stackTraceLimit = stackTraceLimit
    },
  }
}

class Search {
  readonly #model: Model
  readonly #bounds: Bounds
  readonly #found: Found = { schedules: 0, states: 0, outside: 0, ends: 0, depth: 0, cut: false, ms: 0 }
  /** By the fingerprint of each state that was entered, the choices that were not taken there. */
  readonly #entered = new Map<string, readonly string[]>()
  readonly #outside = new Set<string>()
  readonly #path: Visit[] = []

  constructor(model: Model, bounds: Bounds) {
    this.#model = model
    this.#bounds = bounds
  }

  async run(): Promise<Found> {
    const startedAt = process.hrtime.bigint()
    try {
      do await this.#runSchedule()
      while (this.#path.length > 0 && !this.#isFull())
    } catch (err) {
      const schedule = this.#path.slice(1).map(({ label }) => label)
      if (!(err instanceof Violation)) throw new Error(`after\n${lines(schedule)}`, { cause: err })
      this.#found.violation = { message: err.message, schedule }
    }
    this.#found.states = this.#entered.size
    this.#found.outside = this.#outside.size
    this.#found.ms = Number((process.hrtime.bigint() - startedAt) / 1_000_000n)
    return this.#found
  }

  #isFull(): boolean {
    if (this.#entered.size < this.#bounds.states) return false
    this.#found.cut = true
    return true
  }

  /** Runs the processes to the last state of the path, and from there on as long as a state is to be entered. */
  async #runSchedule(): Promise<void> {
    const { budgets, begin } = this.#model
    const { isReduced = true, merges = isReduced } = this.#bounds
    this.#found.schedules++
    const world = new World(budgets, { isReduced, merges })
    const scene = await begin(world)
    await world.settle()
    if (this.#path.length === 0) this.#enter(world, scene, { key: '', label: '', asleep: new Map() })
    else for (const { key } of this.#path.slice(1)) await world.take(chosen(world.choices(scene), key))
    for (;;) {
      const visit = this.#path.at(-1)
      const key = visit?.left.shift()
      if (visit === undefined || key === undefined) break
      const choice = chosen(world.choices(scene), key)
      const label = world.labelOf(choice)
      const taken = await this.#took(world, choice, label)
      const asleep = new Map(visit.asleep.entries().filter(([, other]) => isReduced && areIndependent(taken, other)))
      visit.asleep.set(key, taken)
      this.#enter(world, scene, { key, label, asleep })
    }
    while (this.#path.at(-1)?.left.length === 0) this.#path.pop()
  }

  async #took(world: World, choice: Choice, label: string): Promise<Footprint> {
    try {
      return await world.take(choice)
    } catch (err) {
      this.#path.push({ key: choice.key, label, left: [], asleep: new Map() })
      throw err
    }
  }

  #enter(world: World, scene: Scene, { key, label, asleep }: Omit<Visit, 'left'>): void {
    const found = this.#found
    const visit: Visit = { key, label, asleep, left: [] }
    this.#path.push(visit)
    found.depth = Math.max(found.depth, this.#path.length - 1)
    const fingerprint = world.fingerprint(scene)
    const before = this.#entered.get(fingerprint)
    if (before) {
      // Entered on another way, on which other choices were asleep.
      visit.left = before.filter((key) => !asleep.has(key))
      if (visit.left.length > 0)
        this.#entered.set(
          fingerprint,
          before.filter((key) => asleep.has(key)),
        )
      return
    }
    if (this.#bounds.fromOutside) this.#outside.add(world.outside(scene))
    const choices = world.choices(scene).map(({ key }) => key)
    this.#entered.set(
      fingerprint,
      choices.filter((key) => asleep.has(key)),
    )
    scene.always?.()
    if (choices.length === 0) {
      found.ends++
      scene.atEnd?.()
    } else if (this.#path.length > this.#bounds.depth) found.cut = true
    else visit.left = choices.filter((key) => !asleep.has(key))
  }
}

function chosen(choices: readonly Choice[], key: string): Choice {
  const choice = choices.find((choice) => choice.key === key)
  if (choice) return choice
  throw new Error(`not repeatable: there is no "${key}" among ${choices.map(({ key }) => key)}`)
}

export const lines = (schedule: readonly string[]) =>
  schedule.map((label, index) => `${String(index + 1).padStart(3)}. ${label}`).join('\n')
