export interface ProcessLimits {
  /** Private memory, in MiB (RLIMIT_DATA of setrlimit(2)): what is beyond fails to be allocated. */
  memoryMb: number
  /** Time on a processor (RLIMIT_CPU): the process is killed beyond. */
  cpuSeconds?: number
}

/** The command that runs a program under limits, which child processes inherit. */
export function limitedCommand(
  program: string,
  args: readonly string[],
  { memoryMb, cpuSeconds }: ProcessLimits,
): [command: string, args: string[]] {
  const cpu = cpuSeconds === undefined ? '' : `ulimit -t ${cpuSeconds} 2>/dev/null; `
  const run = `ulimit -d ${memoryMb * 1024} 2>/dev/null; ${cpu}exec "$0" "$@"`
  return ['/bin/sh', ['-c', run, program, ...args]]
}
