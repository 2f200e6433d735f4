import { queryValue, setQuery } from '../router/address.ts'
import { IconButton } from './button.tsx'
import { formatPercent } from './format.ts'
import { useShortcut } from './shortcuts.ts'

/** In percent: 100 is as large as on paper. */
const steps = [25, 33, 50, 67, 75, 90, 100, 125, 150, 200, 300, 400]
const [smallest, largest] = [10, 400]

/** How large the address wants pages: 1 is as large as on paper. `fit`: as wide as there is room. */
export function zoomOfAddress(): number | 'fit' {
  const percent = Number(queryValue('zoom'))
  return percent >= smallest && percent <= largest ? percent / 100 : 'fit'
}

const setZoom = (percent: number | undefined) => setQuery({ zoom: percent === undefined ? '' : String(percent) })

/** Makes pages larger and smaller, by the mouse and by `+`, `-` and `0`. `scale` is how large they are now. */
export function ZoomControl({ scale }: { scale: number }) {
  const zoom = zoomOfAddress()
  const chosen = zoom === 'fit' ? undefined : Math.round(zoom * 100)
  const percent = Math.round(scale * 100)
  const enlarge = () => setZoom(steps.find((step) => step > percent) ?? percent)
  const shrink = () => setZoom(steps.findLast((step) => step < percent) ?? percent)
  useShortcut('+', 'Zoom in', enlarge)
  useShortcut('-', 'Zoom out', shrink)
  useShortcut('0', 'Fit the width', () => setZoom(undefined))
  const offered = chosen === undefined || steps.includes(chosen) ? steps : [...steps, chosen].toSorted((a, b) => a - b)
  return (
    <div class="zoom">
      <IconButton icon="zoom-out" label="Zoom out" onClick={shrink} />
      <select
        class="control"
        aria-label="Zoom"
        title={formatPercent(scale)}
        value={chosen ?? ''}
        onChange={({ currentTarget: { value } }) => setZoom(value === '' ? undefined : Number(value))}
      >
        <option value="" selected={chosen === undefined}>
          Fit width
        </option>
        {offered.map((step) => (
          <option key={step} value={step} selected={step === chosen}>
            {formatPercent(step / 100)}
          </option>
        ))}
      </select>
      <IconButton icon="zoom-in" label="Zoom in" onClick={enlarge} />
    </div>
  )
}
