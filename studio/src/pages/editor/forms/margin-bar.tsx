import { Button } from '../../../parts/button.tsx'
import type { EditorModel } from '../model/editor-model.ts'

const row = 'width: 100%; display: flex; justify-content: space-between; font: 9px sans-serif; color: #555'
const begins = {
  header: {
    text: 'Begin with a line of text',
    html: `<div style="${row}">\n  <span>Name of the company</span>\n  <span class="title"></span>\n</div>\n`,
  },
  footer: {
    text: 'Begin with page numbers',
    html: `<div style="${row}">\n  <span>Name of the company</span>\n  <span>Page <span class="pageNumber"></span> of <span class="totalPages"></span></span>\n</div>\n`,
  },
}

/** What a header or footer is, as long as there is none. */
export function MarginBar({ model, part }: { model: EditorModel; part: 'header' | 'footer' }) {
  const field = part === 'header' ? 'header_html' : 'footer_html'
  if (model.fields.value[field].trim() !== '') return null
  const { text, html } = begins[part]
  return (
    <div class="editor-bar editor-hint">
      <span>Printed in the {part === 'header' ? 'top' : 'bottom'} margin of each page.</span>
      {model.mayWrite && (
        <Button icon="plus" onClick={() => model.change({ [field]: html })}>
          {text}
        </Button>
      )}
    </div>
  )
}
