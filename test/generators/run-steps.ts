import { spawn, spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'

export const hasProgram = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0

/** Runs shell commands one after the other, up to the first that fails. */
export async function runSteps(
  commands: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ ok: boolean; output: string }> {
  // The shell joins its error output, so that the lines keep their order. TypeScript and npm misread options of the npm that runs this.
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const kept = Object.fromEntries(Object.entries(inherited).filter(([name]) => !name.startsWith('npm_')))
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const child = spawn('sh', ['-e', '-c', `exec 2>&1\n${commands}`], {
    cwd,
    env: { ...kept, PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  const [output, code] = await Promise.all([text(child.stdout), exited])
  return { ok: code === 0, output }
}
