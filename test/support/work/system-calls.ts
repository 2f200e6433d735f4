import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Counts, count } from './counts.ts'

const run = promisify(execFile)

/** System calls of some processes, as the kernel records them. It costs the processes nothing that can be measured. */
export interface SystemCalls extends AsyncDisposable {
  /** By process: `<name> flush` for each file or write-ahead log that was flushed, `<name> create` for each file that may be new. */
  read(): Promise<Counts>
}

/** O_CREAT, and O_SYNC without O_DSYNC (open(2)): each write to a file that was opened so is a flush. */
const creates = 0x40
const synchronous = 0x100000

const events = { sys_enter_fsync: undefined, sys_enter_fdatasync: undefined, sys_enter_openat: creates | synchronous }

/** The folder of Linux' tracing. It is mounted if nothing is there, and stays mounted. */
const tracing = '/sys/kernel/tracing'

/** A text says why this machine cannot count: only root may, and containers cannot. */
export async function watchSystemCalls(processes: Readonly<Record<string, number>>): Promise<SystemCalls | string> {
  await using resources = new AsyncDisposableStack()
  const instances = join(tracing, 'instances')
  // A buffer of its own, so that several programs count at the same time.
  const instance = join(instances, `platen-${process.pid}-${Math.round(performance.now())}`)
  try {
    if (!existsSync(instances)) await run('mount', ['-t', 'tracefs', 'tracefs', tracing])
    await removeLeft(instances)
    await mkdir(instance)
    resources.defer(() => rmdir(instance))
    await writeFile(join(instance, 'buffer_size_kb'), '8192')
    for (const [event, flags] of Object.entries(events)) {
      const folder = join(instance, 'events/syscalls', event)
      if (flags !== undefined) await writeFile(join(folder, 'filter'), `flags & ${flags}`)
      await writeFile(join(folder, 'enable'), '1')
    }
  } catch (err) {
    return `system calls are not counted: ${err instanceof Error ? err.message.trim() : err}`
  }
  const names = new Map<number, string>()
  const learnThreads = () => {
    for (const [name, pid] of Object.entries(processes)) {
      if (!existsSync(`/proc/${pid}/task`)) continue
      for (const thread of readdirSync(`/proc/${pid}/task`)) names.set(Number(thread), name)
    }
  }
  learnThreads()
  const disposable = resources.move()
  return {
    async read() {
      learnThreads()
      const trace = await readFile(join(instance, 'trace'), 'utf8')
      const lines = trace.matchAll(/^.*-(\d+) +\[\d+\].*: sys_(\w+)\((.*)\)$/gm)
      return count(lines.flatMap(([, thread, call = '', args = '']) => kindsOf(names.get(Number(thread)), call, args)))
    },
    [Symbol.asyncDispose]: () => disposable.disposeAsync(),
  }
}

/** Removes instances of killed processes. */
async function removeLeft(instances: string): Promise<void> {
  for (const name of await readdir(instances)) {
    const [, pid] = /^platen-(\d+)-/.exec(name) ?? []
    // Another program may remove it at the same time.
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await rmdir(join(instances, name)).catch(() => {})
  }
}

function kindsOf(name: string | undefined, call: string, args: string): string[] {
  if (name === undefined) return []
  if (call !== 'openat') return [`${name} flush`]
  const flags = Number.parseInt(/flags: (?:0x)?([0-9a-f]+)/.exec(args)?.[1] ?? '0', 16)
  return [...(flags & creates ? [`${name} create`] : []), ...(flags & synchronous ? [`${name} flush`] : [])]
}
