import { Button } from '../../../parts/button.tsx'
import type { EditorModel } from '../model/editor-model.ts'
import { textOfJson } from '../model/fields.ts'

/** What translations are for, as long as there are none. */
export function TranslationsBar({ model }: { model: EditorModel }) {
  if (model.fields.value.translations.trim() !== '') return null
  const begin = () => model.change({ translations: textOfJson({ en: { greeting: 'Dear {name},' } }) })
  return (
    <div class="editor-bar editor-hint">
      <span>
        Texts by language and key. <code>{'{{t "greeting" name=customer.name}}'}</code> prints one.
      </span>
      {model.mayWrite && (
        <Button icon="plus" onClick={begin}>
          Begin with English
        </Button>
      )}
    </div>
  )
}
