import { useSignal } from '@preact/signals'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { formatNumber } from './format.ts'
import { Summary } from './summary.tsx'

interface JsonViewProps {
  value: unknown
  /** What it is: `data of the event`. */
  label: string
  /** So many levels are open at first. Default 2. */
  openTo?: number
}

/** JSON as a tree that opens by a click. */
export function JsonView({ value, label, openTo = 2 }: JsonViewProps) {
  return (
    <figure class="json-view" aria-label={label}>
      <Node value={value} depth={0} openTo={openTo} />
      <CopyButton text={JSON.stringify(value, null, 2)} label={`Copy ${label}`} />
    </figure>
  )
}

interface NodeProps {
  name?: string
  value: unknown
  depth: number
  openTo: number
}

/** Of a long array or object, so many entries are shown at once. */
const shownAtOnce = 100

function Node({ name, value, depth, openTo }: NodeProps) {
  const isOpen = useSignal(depth < openTo)
  const shown = useSignal(shownAtOnce)
  const key = name !== undefined && <span class="json-key">{name}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="json-leaf">
        {key}
        <Scalar value={value} />
      </div>
    )
  }
  const entries = Object.entries(value)
  const [begin, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) {
    return (
      <div class="json-leaf">
        {key}
        {begin + end}
      </div>
    )
  }
  return (
    <details
      class="json-node"
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <Summary>
        {key}
        {isOpen.value ? begin : `${begin}…${end}`} <span class="json-count">{formatNumber(entries.length)}</span>
      </Summary>
      {isOpen.value &&
        entries
          .slice(0, shown.value)
          .map(([key, item]) => <Node key={key} name={key} value={item} depth={depth + 1} openTo={openTo} />)}
      {isOpen.value && entries.length > shown.value && (
        <Button
          tone="quiet"
          onClick={() => {
            shown.value += shownAtOnce
          }}
        >
          {formatNumber(entries.length - shown.value)} more
        </Button>
      )}
    </details>
  )
}

function Scalar({ value }: { value: unknown }) {
  return <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
}
