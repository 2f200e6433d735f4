import { spawn, spawnSync } from 'node:child_process'
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Generator, tenCalls } from './generator.ts'

const calls = fileURLToPath(new URL('calls', import.meta.url))
const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface Place {
  /** The folder of this run. */
  folder: string
  /** Folder of tools that is kept between runs. */
  tools: string
  /** The URL of Platen, its key, and paths of files. */
  env: Record<string, string>
}

/** What became of each step: `ok`, `failed`, a number of calls, or why the generator was skipped. */
export interface Result {
  generator: Generator
  skipped?: string
  /** The registry did not give the generator, or what its code needs. */
  notInstalled?: true
  generate?: string
  compile?: string
  calls?: string
  /** What the step that failed has printed. */
  output?: string
}

export const hasFailed = ({ skipped, calls }: Result) => skipped === undefined && calls !== allCalls
const allCalls = `${tenCalls.length} of ${tenCalls.length}`

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

export async function tryGenerator(generator: Generator, { folder, tools, env }: Place): Promise<Result> {
  const missing = generator.needs.find((program) => !has(program))
  if (missing !== undefined) return { generator, skipped: `no ${missing}` }
  const place = join(folder, generator.name.replaceAll(' ', '-'))
  await rm(place, { recursive: true, force: true })
  await mkdir(tools, { recursive: true })
  await cp(join(calls, generator.calls), place, { recursive: true })
  const document = generator.document === undefined ? env.DOCUMENT_3_1 : env.DOCUMENT_3_0
  const slug = generator.name.replaceAll(/[^a-z0-9]+/g, '-')
  const run = (commands: string) =>
    runSteps(commands, place, { ...env, TOOLS: tools, REPOSITORY: repository, DOCUMENT: document ?? '', SLUG: slug })

  const installed = await run(generator.install)
  if (!installed.ok) return { generator, notInstalled: true, generate: 'not installed', output: installed.output }
  const generated = await run(generator.generate)
  if (!generated.ok) return { generator, generate: 'failed', output: generated.output }
  const compiled = await run(generator.compile)
  if (!compiled.ok) return { generator, generate: 'ok', compile: 'failed', output: compiled.output }
  const called = await run(generator.call)
  const done = tenCalls.filter((name) => called.output.split('\n').includes(`ok ${name}`)).length
  const counted = `${done} of ${tenCalls.length}`
  // A program that fails after its last call has failed.
  const outcome = called.ok || done < tenCalls.length ? counted : `${counted}, then failed`
  return { generator, generate: 'ok', compile: 'ok', calls: outcome, output: called.output }
}

async function runSteps(commands: string, cwd: string, env: Record<string, string>) {
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
