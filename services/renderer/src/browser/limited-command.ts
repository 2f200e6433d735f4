/**
 * Memory of one browser process, in MiB. V8's own limit knows only its heap: buffers, canvases, WebAssembly and the
 * document's own nodes come on top, a gigabyte a second in a bomb. What asks for more ends as a page that crashed.
 */
const processDataMb = 1_536

/** The command that runs a program under that limit (RLIMIT_DATA, setrlimit(2)), which its children inherit. */
export function limitedCommand(program: string, args: string[]): [command: string, args: string[]] {
  const run = `ulimit -d ${processDataMb * 1024} 2>/dev/null; exec "$0" "$@"`
  return ['/bin/sh', ['-c', run, program, ...args]]
}
