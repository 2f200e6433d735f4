/**
 * The default memory of one browser process, in MiB. V8's own limit applies to its heap only: buffers, canvases, WebAssembly and
 * DOM nodes come on top, up to a gigabyte a second in a malicious document. A process over the limit crashes its page.
 */
export const defaultDocumentMemoryMb = 1_536

/** The command that runs a program under such a limit (RLIMIT_DATA, setrlimit(2)), which child processes inherit. */
export function limitedCommand(program: string, args: string[], memoryMb: number): [command: string, args: string[]] {
  const run = `ulimit -d ${memoryMb * 1024} 2>/dev/null; exec "$0" "$@"`
  return ['/bin/sh', ['-c', run, program, ...args]]
}
