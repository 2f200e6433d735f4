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

/** Values in values: a list that is added has items, whose values are missing in the next preview. */
const mostRounds = 4

/** Adds to the data what the template prints and they do not have. */
export function AddMissing({ model, warnings }: AddMissingProps) {
  const rounds = useSignal(0)
  const missing = warnings.value.flatMap((problem) => missingIn(problem, model) ?? [])
  const add = () => {
    const document = dataDocument(model.set.peek())
    const data = parseObject(model.text(document), parseExact)
    if ('value' in data) model.write(document, textOfJson(withMissing(data.value, missing)))
  }
  useSignalEffect(() => {
    const { value: found } = warnings
    if (rounds.peek() === 0) return
    rounds.value--
    if (found.some(({ missing }) => missing !== undefined)) add()
  })
  if (missing.length === 0) return null
  return (
    <Button
      icon="plus"
      title="Adds a value for each that the template prints and the data do not have"
      onClick={() => {
        rounds.value = mostRounds
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
