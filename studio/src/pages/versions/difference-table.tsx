import type { Schemas } from '../../api/client.ts'
import { Empty, Notice } from '../../parts/states.tsx'
import type { Comparison } from './resources.ts'

type Difference = Schemas['TemplateDifference']

interface DifferenceTableProps {
  comparison: Comparison
  /** The fields of a version that are shown. */
  fields: readonly string[]
  /** What they are: `Options`. */
  title: string
}

/** Values that differ: each with its path, and what it was and is. */
export function DifferenceTable({ comparison, fields, title }: DifferenceTableProps) {
  const { from, to, differences, truncated = false } = comparison
  const shown = differences.filter(({ path }) => fields.includes(fieldOf(path)))
  if (shown.length === 0) {
    return (
      <Empty icon="circle-check" title={`${title}: nothing differs`}>
        Versions {from} and {to} have the same.
      </Empty>
    )
  }
  return (
    <div class="versions-scroll">
      <table class="plain-table versions-values" aria-label={`${title} that differ`}>
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">Version {from}</th>
            <th scope="col">Version {to}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((difference) => (
            <tr key={difference.path}>
              <th scope="row">
                <code>{difference.path}</code>
              </th>
              <ValueCell difference={difference} side="from" />
              <ValueCell difference={difference} side="to" />
            </tr>
          ))}
        </tbody>
      </table>
      {truncated && <Notice tone="info">There are more differences: the first 500 of both versions are listed.</Notice>}
    </div>
  )
}

/** `options.margin.top` is in `options`, `samples["two pages"]` in `samples`. */
const fieldOf = (path: string) => /^\w+/.exec(path)?.[0] ?? ''

function ValueCell({ difference, side }: { difference: Difference; side: 'from' | 'to' }) {
  const value = difference[side]
  const other = difference[side === 'from' ? 'to' : 'from']
  if (value === undefined) {
    return <td class="versions-none">{difference.large === true ? 'large' : 'none'}</td>
  }
  return (
    <td data-side={side} data-alone={other === undefined || undefined}>
      <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</code>
    </td>
  )
}
