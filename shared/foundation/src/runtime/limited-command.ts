export interface ProcessLimits {
  /** Private memory, in MiB (RLIMIT_DATA of setrlimit(2)): what is beyond fails to be allocated. */
  memoryMb: number
  /** Time on a processor (RLIMIT_CPU): the process is killed beyond. */
  cpuSeconds?: number
  /** The kernel ends it before all others if memory is short (oom_score_adj of proc(5)). */
  isFirstToEnd?: boolean
}

/** The command that runs a program under limits, which child processes inherit. */
export function limitedCommand(
  program: string,
  args: readonly string[],
  { memoryMb, cpuSeconds, isFirstToEnd = false }: ProcessLimits,
): [command: string, args: string[]] {
  const cpu = cpuSeconds === undefined ? '' : `ulimit -t ${cpuSeconds} 2>/dev/null; `
  const first = isFirstToEnd ? '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; ' : ''
  const run = `ulimit -d ${memoryMb * 1024} 2>/dev/null; ${cpu}${first}exec "$0" "$@"`
  return ['/bin/sh', ['-c', run, program, ...args]]
}
