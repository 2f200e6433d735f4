import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { parseExact } from '../../../api/exact-json.ts'
import { IconButton } from '../../../parts/button.tsx'
import { TextArea } from '../../../parts/fields.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { queryValue, setQuery } from '../../../router/address.ts'
import { type Content, jsonOf, keepPasted, keptPasted, sampleInAddress } from './compared-data.ts'

interface DataChoiceProps {
  templateId: string
  newer: Content
}

const pasted = 'pasted'

/** The data that both versions are printed with: the sample data, a named set, or what one pastes. */
export function DataChoice({ templateId, newer }: DataChoiceProps) {
  const id = useId()
  const isOpen = useSignal(false)
  const wanted = queryValue('data')
  const hasPasted = wanted === pasted && keptPasted(templateId) !== undefined
  const shown = wanted === pasted && !hasPasted ? '' : wanted
  const open = () => {
    isOpen.value = true
  }
  return (
    <div class="versions-choice">
      <label for={id}>Data</label>
      <select
        id={id}
        class="control"
        value={shown}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget
          currentTarget.value = shown
          if (value === pasted) open()
          else setQuery({ data: value, page: '' }, { replace: false })
        }}
      >
        <option value="" selected={shown === ''}>
          Sample data
        </option>
        {Object.keys(newer.samples ?? {}).map((name) => (
          <option key={name} value={sampleInAddress(name)} selected={shown === sampleInAddress(name)}>
            {name}
          </option>
        ))}
        <option value={pasted} selected={hasPasted}>
          {hasPasted ? 'Pasted data' : 'Paste data…'}
        </option>
      </select>
      {hasPasted && <IconButton icon="pencil" label="Change the pasted data" onClick={open} />}
      {isOpen.value && (
        <PasteData
          initial={keptPasted(templateId) ?? jsonOf({ kind: 'sample-data' }, newer)}
          onClose={() => {
            isOpen.value = false
          }}
          onUse={(json) => {
            isOpen.value = false
            keepPasted(templateId, json)
            // The same address with other data is a new comparison, too.
            setQuery({ data: '' })
            setQuery({ data: pasted, page: '' }, { replace: false })
          }}
        />
      )}
    </div>
  )
}

interface PasteDataProps {
  initial: string
  onUse(json: string): void
  onClose(): void
}

function PasteData({ initial, onUse, onClose }: PasteDataProps) {
  const text = useSignal(readable(initial))
  const problem = useSignal<string | undefined>(undefined)
  const submit = () => {
    problem.value = problemOf(text.value)
    if (problem.value === undefined) onUse(text.value)
  }
  return (
    <FormDialog title="Compare with other data" size="wide" submit="Compare" onSubmit={submit} onClose={onClose}>
      <TextArea
        label="Data"
        hint="JSON. It stays in this window of the browser: a link to this page has the sample data."
        rows={16}
        value={text.value}
        error={problem.value}
        onInput={(value) => {
          text.value = value
        }}
      />
    </FormDialog>
  )
}

function readable(json: string): string {
  return json.includes('\n') ? json : JSON.stringify(parseExact(json), null, 2)
}

function problemOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'Enter a JSON object.'
  } catch (err) {
    return `This is not JSON: ${(err as Error).message}`
  }
}
