import { apiUrl } from '../../../api/client.ts'
import { parseExact } from '../../../api/exact-json.ts'
import { Button } from '../../../parts/button.tsx'
import { copyText } from '../../../parts/copy-button.tsx'
import { shellWord } from '../../../parts/shell-word.ts'
import { notify } from '../../../parts/toasts.tsx'
import { dataDocument } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { parseObject } from '../model/parse-json.ts'

/** Copies a request that generates a document with the template and the data that are shown. */
export function CopyCurl({ model }: { model: EditorModel }) {
  const copy = async () => {
    const data = parseObject(model.text(dataDocument(model.set.value)), parseExact)
    if ('problem' in data) return notify('The data are not JSON', 'bad')
    const isCopied = await copyText(curlOf(model.template.value.slug, data.value))
    if (!isCopied) return notify('The browser does not allow to copy it', 'bad')
    const isSaved = model.changed.value.length === 0
    notify(isSaved ? 'The command is copied' : 'The command is copied. It prints the saved template until you save')
  }
  return (
    <Button icon="square-terminal" title="A request with this template and these data" onClick={() => void copy()}>
      Copy as curl
    </Button>
  )
}

/** The key is not in the browser: the shell has it. */
export function curlOf(template: string, data: unknown): string {
  const body = JSON.stringify({ template, data }, null, 2)
  return [
    `curl '${location.origin}${apiUrl('/v1/generate')}' -o ${template}.pdf`,
    `-H "authorization: Bearer $API_KEY" -H 'accept: application/pdf' -H 'content-type: application/json'`,
    `-d ${shellWord(body)}`,
  ].join(' \\\n  ')
}
