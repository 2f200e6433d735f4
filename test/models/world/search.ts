import { controlGlobals } from './controlled-globals.ts'
import { type Budgets, type Scene, Violation, World } from './world.ts'

export interface Model {
  name: string
  /** In words. */
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
}

export interface Found {
  /** How often the processes were run from the start. */
  schedules: number
  /** Distinct states. */
  states: number
  /** Schedules that ran until nothing could happen any more. */
  ends: number
  /** The longest schedule. */
  depth: number
  /** Whether there are states beyond the bounds. */
  cut: boolean
  ms: number
  violation?: { message: string; schedule: readonly string[] }
}

/**
 * Depth-first search over all schedules. A schedule cannot be copied, so that a branch is reached by running the processes from
 * the start with the same choices (stateless search). A state that was seen is not entered again.
 */
export async function search(model: Model, bounds: Bounds): Promise<Found> {
  using _ = controlGlobals()
  using __ = withoutStacks()
  const startedAt = process.hrtime.bigint()
  const seen = new Set<string>()
  const branches: (readonly string[])[] = [[]]
  const found: Found = { schedules: 0, states: 0, ends: 0, depth: 0, cut: false, ms: 0 }
  for (let prefix = branches.pop(); prefix; prefix = branches.pop()) {
    if (seen.size >= bounds.states) {
      found.cut = true
      break
    }
    found.schedules++
    const path: string[] = []
    try {
      await follow(model, { bounds, prefix, path, seen, branches, found })
    } catch (err) {
      if (!(err instanceof Violation)) throw new Error(`after\n${lines(path)}`, { cause: err })
      found.violation = { message: err.message, schedule: path }
      break
    }
  }
  found.states = seen.size
  found.ms = Number((process.hrtime.bigint() - startedAt) / 1_000_000n)
  return found
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

interface Following {
  bounds: Bounds
  prefix: readonly string[]
  path: string[]
  seen: Set<string>
  branches: (readonly string[])[]
  found: Found
}

/** Runs one schedule: the prefix, then what comes first. */
async function follow(model: Model, { bounds, prefix, path, seen, branches, found }: Following): Promise<void> {
  const world = new World(model.budgets)
  const scene = await model.begin(world)
  await world.settle()
  for (;;) {
    const choices = world.choices(scene)
    const wanted = prefix[path.length]
    if (wanted === undefined) {
      const state = world.fingerprint(scene)
      if (seen.has(state)) return
      seen.add(state)
      scene.always?.()
      if (choices.length === 0) {
        found.ends++
        scene.atEnd?.()
        return
      }
      if (path.length >= bounds.depth) {
        found.cut = true
        return
      }
      for (const { label } of choices.slice(1).reverse()) branches.push([...path, label])
    }
    const choice = wanted === undefined ? choices[0] : choices.find(({ label }) => label === wanted)
    if (!choice) throw new Error(`not repeatable: there is no "${wanted}" among ${choices.map(({ label }) => label)}`)
    path.push(choice.label)
    found.depth = Math.max(found.depth, path.length)
    choice.take()
    await world.settle()
  }
}

export const lines = (schedule: readonly string[]) =>
  schedule.map((label, index) => `${String(index + 1).padStart(3)}. ${label}`).join('\n')
