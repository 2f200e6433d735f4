import { queryValue, setQuery } from '../../router/address.ts'
import { Button } from '../button.tsx'
import { TextField } from '../fields.tsx'
import { formatTime } from '../format.ts'
import { FilterChip } from './filter-chip.tsx'
import { FilterChoices } from './filter-choices.tsx'

const presets = [
  { value: '15m', text: 'Last 15 minutes', ms: 15 * 60_000 },
  { value: '1h', text: 'Last hour', ms: 3_600_000 },
  { value: '24h', text: 'Last 24 hours', ms: 86_400_000 },
  { value: '7d', text: 'Last 7 days', ms: 7 * 86_400_000 },
  { value: '30d', text: 'Last 30 days', ms: 30 * 86_400_000 },
] as const

/** A filter by time: `since` and `until` of the address. `since` may be a span such as `24h`, which ends now. */
export function TimeFilter() {
  const [since, until] = [queryValue('since'), queryValue('until')]
  const clear = () => setQuery({ since: '', until: '' }, { replace: false })
  return (
    <FilterChip label="Time" value={textOfRange(since, until)} onClear={clear}>
      {(close) => (
        <>
          <FilterChoices
            choices={presets}
            chosen={since}
            onChoose={(value) => {
              close()
              setQuery({ since: value, until: '' }, { replace: false })
            }}
          />
          <form class="filter-form" onSubmit={(event) => applyRange(event, close)}>
            <TextField label="From" name="since" type="datetime-local" value={localOf(since)} onInput={() => {}} />
            <TextField label="To" name="until" type="datetime-local" value={localOf(until)} onInput={() => {}} />
            <Button type="submit" tone="primary">
              Apply
            </Button>
          </form>
        </>
      )}
    </FilterChip>
  )
}

/** The time that `since` stands for, as the API takes it. Undefined for one that is malformed. */
export function sinceTime(since: string, now = Date.now()): string | undefined {
  const preset = presets.find(({ value }) => value === since)
  return preset === undefined ? timeOf(since) : new Date(now - preset.ms).toISOString()
}

export function timeOf(text: string): string | undefined {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

function textOfRange(since: string, until: string): string {
  const preset = presets.find(({ value }) => value === since)
  if (preset !== undefined) return preset.text
  const [from, to] = [timeOf(since), timeOf(until)].map((time) => (time === undefined ? undefined : formatTime(time)))
  if (from !== undefined && to !== undefined) return `${from} to ${to}`
  if (from !== undefined) return `since ${from}`
  return to === undefined ? '' : `until ${to}`
}

function applyRange(event: SubmitEvent, close: () => void): void {
  event.preventDefault()
  const form = new FormData(event.currentTarget as HTMLFormElement)
  close()
  const [since, until] = ['since', 'until'].map((name) => timeOf(String(form.get(name))) ?? '')
  setQuery({ since: since ?? '', until: until ?? '' }, { replace: false })
}

/** As `datetime-local` has it: the time of the browser, without a zone. */
export function localOf(text: string): string {
  const time = timeOf(text)
  if (time === undefined) return ''
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
