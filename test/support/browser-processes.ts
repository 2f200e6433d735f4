import { setTimeout as delay } from 'node:timers/promises'
import { allProcesses, below, type SeenProcess } from './processes.ts'

/** A browser and all that it starts are one process group. */
export interface BrowserProcess extends Omit<SeenProcess, 'command'> {
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
    const all = await allProcesses()
    const own = below(all, root()).filter(({ command }) => /chrom/.test(command))
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
    living: async () => (await look()).own.filter(({ defunct }) => !defunct).map(browserProcess),
    async strays() {
      const { all, own } = await look()
      const belongs = new Set(own.map(({ group }) => group))
      const isStray = ({ group, defunct }: SeenProcess) => groups.has(group) && (defunct || !belongs.has(group))
      return all.filter(isStray).map(browserProcess)
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await watching
    },
  }
}

function browserProcess({ command, ...process }: SeenProcess): BrowserProcess {
  const [, type = command.startsWith('/bin/sh') ? 'script' : 'browser'] = /--type=(\S+)/.exec(command) ?? []
  return { ...process, kind: type }
}
