import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** With less, V8 collects it so often that a start takes longer. */
const enoughBytes = 16 * 2 ** 20
/** Arrays of 8 kB. */
const mostArrays = 1_500
const arraysAtOnce = 20
/** The default of V8. */
const growthFactor = 2

const setGrowthFactor = (factor: number) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}

/**
 * Gives the young generation of V8 16 MB, and keeps it from growing. Most of what a start allocates is kept, and then V8 makes it 128 MB, which
 * is more than all else of a service that has just started. To be called before other modules are loaded.
 */
export function keepYoungGenerationSmall(): void {
  const kept: unknown[] = []
  // It grows when what it has is in use.
  while (youngBytes() < enoughBytes && kept.length < mostArrays) {
    for (let count = 0; count < arraysAtOnce; count++) kept.push(new Array(1_000).fill(0.5))
  }
  setGrowthFactor(1)
}

/** To be called after the start. A load of short-lived objects needs fewer collections when it may grow. */
export function letYoungGenerationGrow(): void {
  setGrowthFactor(growthFactor)
}
