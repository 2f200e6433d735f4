import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import { parseExact } from '../../../api/exact-json.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { confirm } from '../../../parts/confirm.tsx'
import { count } from '../../../parts/format.ts'
import { Tabs } from '../../../parts/tabs.tsx'
import { setQuery } from '../../../router/address.ts'
import { dataDocument } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { textOfJson } from '../model/fields.ts'
import { parseObject } from '../model/parse-json.ts'
import type { Problem } from '../model/problem.ts'
import { type MissingValue, withMissing } from './missing-data.ts'
import { NameSet } from './name-set.tsx'

interface AddMissingProps {
  model: EditorModel
  /** Of the preview. */
  warnings: ReadonlySignal<readonly Problem[]>
}

/** A list that is added has items, whose values are missing in the next preview: these are added, too. */
const addsForMs = 5_000

/** Adds to the data what the template prints and they do not have. */
function AddMissing({ model, warnings }: AddMissingProps) {
  const until = useSignal(0)
  const missingOf = (problems: readonly Problem[]) => problems.flatMap((problem) => missingIn(problem, model) ?? [])
  const missing = missingOf(warnings.value)
  const add = () => {
    const document = dataDocument(model.set.peek())
    const data = parseObject(model.text(document), parseExact)
    if ('value' in data) model.write(document, textOfJson(withMissing(data.value, missingOf(warnings.peek()))))
  }
  useSignalEffect(() => {
    const { value: found } = warnings
    if (performance.now() > until.peek()) return
    if (found.some((problem) => problem.missing !== undefined)) add()
    else until.value = 0
  })
  if (missing.length === 0) return null
  return (
    <Button
      icon="plus"
      title="Adds a value for each that the template prints and the data do not have"
      onClick={() => {
        until.value = performance.now() + addsForMs
        add()
      }}
    >
      Add {count(missing.length, 'missing value')}
    </Button>
  )
}

function missingIn({ missing, place }: Problem, model: EditorModel): MissingValue | undefined {
  if (missing === undefined || place === undefined) return undefined
  const line = model.text(place.document).split(/\r\n?|\n/)[place.line - 1] ?? ''
  const open = line.lastIndexOf('{{', place.column - 1)
  return { path: missing, call: open === -1 ? '' : (/^.*?\}\}/.exec(line.slice(open))?.[0] ?? '') }
}

const views = [
  { value: '', text: 'JSON' },
  { value: 'form', text: 'Form' },
]

interface DataBarProps {
  model: EditorModel
  /** Of the preview. */
  warnings: ReadonlySignal<readonly Problem[]>
}

/** Which set of data is shown and printed, and how it is edited. */
export function DataBar({ model, warnings }: DataBarProps) {
  const naming = useSignal<'new' | 'rename' | undefined>(undefined)
  const { samples } = model.fields.value
  const set = model.set.value
  const choose = (name: string) => {
    model.set.value = name
    setQuery({ set: name })
  }
  const remove = async () => {
    const isConfirmed = await confirm({
      title: `Delete the set “${set}”?`,
      body: 'Other sets stay. It is gone when you save.',
      action: 'Delete set',
      tone: 'danger',
    })
    if (!isConfirmed) return
    const { [set]: _, ...others } = samples
    choose('')
    model.change({ samples: others })
  }
  return (
    <div class="editor-bar">
      <select
        class="control"
        aria-label="Set of data"
        value={set}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="" selected={set === ''}>
          Sample data
        </option>
        {Object.keys(samples).map((name) => (
          <option key={name} value={name} selected={set === name}>
            {name}
          </option>
        ))}
      </select>
      {model.mayWrite && (
        <IconButton
          icon="plus"
          label="Add a set of data"
          onClick={() => {
            naming.value = 'new'
          }}
        />
      )}
      {model.mayWrite && set !== '' && (
        <>
          <IconButton
            icon="pencil"
            label={`Rename ${set}`}
            onClick={() => {
              naming.value = 'rename'
            }}
          />
          <IconButton icon="trash-2" label={`Delete ${set}`} onClick={() => void remove()} />
        </>
      )}
      <span class="space" />
      {model.mayWrite && <AddMissing model={model} warnings={warnings} />}
      <Tabs label="How the data are edited" name="as" tabs={views} />
      {naming.value !== undefined && (
        <NameSet
          model={model}
          isNew={naming.value === 'new'}
          onNamed={choose}
          onClose={() => {
            naming.value = undefined
          }}
        />
      )}
    </div>
  )
}
