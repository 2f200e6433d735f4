import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

export interface BrowserProcess {
  pid: number
  parent: number
  /** A browser and all that it starts are one process group. */
  group: number
  /** Ended, and nobody has asked how. */
  defunct: boolean
  /** `browser`, `renderer`, `zygote`, `gpu-process`, `utility`, or `script` for what starts a browser. */
  kind: string
}

/** Follows what a process starts as browsers, so that their processes are known when they are nobody's children. */
export interface BrowserWatch extends AsyncDisposable {
  /** The living ones, as they belong together now. */
  living(): Promise<BrowserProcess[]>
  /** Of all groups seen so far: what is defunct, and what lives without belonging to the watched process. */
  strays(): Promise<BrowserProcess[]>
}

const everyMs = 250

export function watchBrowsers(root: () => number): BrowserWatch {
  const groups = new Set<number>()
  const stop = new AbortController()
  const look = async () => {
    const all = await processes()
    const below = (parent: number): typeof all =>
      all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)])
    const own = below(root()).filter(({ command }) => /chrom/.test(command))
    for (const { group } of own) {
      // A child is in its parent's group for a moment before it is given one of its own.
      if (group !== root()) groups.add(group)
    }
    return { all, own }
  }
  const watching = (async () => {
    while (!stop.signal.aborted) {
      await look()
      await delay(everyMs)
    }
  })()
  return {
    living: async () => (await look()).own.filter(({ defunct }) => !defunct),
    async strays() {
      const { all, own } = await look()
      const belongs = new Set(own.map(({ group }) => group))
      return all.filter(({ group, defunct }) => groups.has(group) && (defunct || !belongs.has(group)))
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await watching
    },
  }
}

async function processes() {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map((pid) => readProcess(pid).catch(() => undefined)))
  return found.filter((one) => one !== undefined)
}

async function readProcess(pid: number): Promise<BrowserProcess & { command: string }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold anything.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
  const [, type = command.startsWith('/bin/sh') ? 'script' : 'browser'] = /--type=(\S+)/.exec(command) ?? []
  return { pid, parent: Number(parent), group: Number(group), defunct: state === 'Z', kind: type, command }
}
