import { predictRates } from '../scale/predict.ts'
import type { Pace, ScaleResult } from '../scale/result.ts'
import { lineChart } from './line-chart.ts'

const colours: Record<Pace, string> = { paced: '#0e7490', saturated: '#b45309' }

/** The measured rates by size, and those that the costs of the paced runs predict. */
export function scaleChart(result: ScaleResult): string {
  const predicted = predictRates(result).toSorted((one, other) => one.row.size - other.row.size)
  const { machine } = result
  const lines = (['paced', 'saturated'] as const).flatMap((pace) => {
    const those = predicted.filter(({ row }) => row.pace === pace && row.partitions === 1)
    const about = pace === 'paced' ? 'prints of 200 ms, 4 slots' : 'prints of 5 ms'
    return [
      {
        name: `measured, ${about}`,
        colour: colours[pace],
        dashed: false,
        points: those.map(({ row }) => [row.size, row.rate] as const),
      },
      {
        name: `computed, ${about}`,
        colour: colours[pace],
        dashed: true,
        points: those.map(({ row, rate }) => [row.size, rate] as const),
      },
    ]
  })
  const axes = {
    x: 'gateways, renderers and notifiers, each',
    y: `documents a second · ${machine.cores} × ${machine.cpu} · a stand-in for Chromium · ${result.engines.eventStore}`,
  }
  return lineChart('Documents a second by the number of processes', axes, lines)
}
