import { setTimeout as delay } from 'node:timers/promises'
import { allProcesses, below, type SeenProcess } from './processes.ts'

/** A process of a browser. A browser and its helper processes are one process group. */
export interface BrowserProcess extends Omit<SeenProcess, 'command'> {
  /** `browser`, `renderer`, `zygote`, `gpu-process`, `utility`, or `script` for the launcher. */
  kind: string
}

/** Records the browsers that a process starts, to find their processes after the browser has exited. */
export interface BrowserWatch extends AsyncDisposable {
  /** The running browser processes. */
  living(): Promise<BrowserProcess[]>
  /** Processes of all groups seen so far that are defunct, or run outside the watched process. */
  strays(): Promise<BrowserProcess[]>
}

const everyMs = 250

export function watchBrowsers(root: () => number): BrowserWatch {
  const groups = new Set<number>()
  const stop = new AbortController()
  const look = async () => {
    const all = allProcesses()
    const own = below(all, root()).filter(({ command }) => /chrom/.test(command))
    for (const { group } of own) {
      // A new child is in its parent's group until it is given its own.
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
