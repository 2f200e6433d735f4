import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import { parseExact } from '../../../api/exact-json.ts'
import { Button } from '../../../parts/button.tsx'
import { count } from '../../../parts/format.ts'
import { dataDocument } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { textOfJson } from '../model/fields.ts'
import { parseObject } from '../model/parse-json.ts'
import type { Problem } from '../model/problem.ts'
import { type MissingValue, withMissing } from './missing-data.ts'

interface AddMissingProps {
  model: EditorModel
  /** Of the preview. */
  warnings: ReadonlySignal<readonly Problem[]>
}

/** A list that is added has items, whose values are missing in the next preview: these are added, too. */
const addsForMs = 5_000

/** Adds to the data what the template prints and they do not have. */
export function AddMissing({ model, warnings }: AddMissingProps) {
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
