import { type ReadonlySignal, useSignal } from '@preact/signals'
import { IconButton } from '../../../parts/button.tsx'
import { confirm } from '../../../parts/confirm.tsx'
import { Tabs } from '../../../parts/tabs.tsx'
import { setQuery } from '../../../router/address.ts'
import type { EditorModel } from '../model/editor-model.ts'
import type { Problem } from '../model/problem.ts'
import { AddMissing } from './add-missing.tsx'
import { NameSet } from './name-set.tsx'

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
