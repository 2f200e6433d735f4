import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Machine } from '../machine/about.ts'
import { median } from '../machine/statistics.ts'
import type { Figure, FigureKind } from './figure.ts'

const path = fileURLToPath(new URL('../results/gate.json', import.meta.url))

export interface CommittedFigure {
  kind: FigureKind
  /** The median of the runs. */
  value: number
  /** The value of each run of the gate. */
  runs: number[]
}

export interface CommittedResult {
  machine: Machine
  /** Of the processor time of the machine, what other programs used during each run. */
  usedByOthers: number[]
  figures: Record<string, CommittedFigure>
}

/** Undefined before the first one was written. */
export async function readCommitted(): Promise<CommittedResult | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return undefined
    throw err
  }
}

/** Resolves with the path. */
export async function writeCommitted(result: CommittedResult): Promise<string> {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)
  // The values of the runs on one line each.
  const text = JSON.stringify(result, rounded, 2).replaceAll(/\[[^[\]]*\]/g, (list) =>
    list.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  )
  await writeFile(path, `${text}\n`)
  return path
}

/** The figures to commit, from several runs of the same version. */
export function commitRuns(runs: readonly (readonly Figure[])[]): Record<string, CommittedFigure> {
  const [first = []] = runs
  return Object.fromEntries(
    first.map(({ name, kind }) => {
      const values = runs.flatMap((figures) => figures.filter((one) => one.name === name).map(({ value }) => value))
      return [name, { kind, value: median(values), runs: values }]
    }),
  )
}
