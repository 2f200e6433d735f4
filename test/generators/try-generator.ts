import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Generator, tenCalls } from './generator.ts'
import { hasProgram, runSteps } from './run-steps.ts'

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

export async function tryGenerator(generator: Generator, { folder, tools, env }: Place): Promise<Result> {
  const missing = generator.needs.find((program) => !hasProgram(program))
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
