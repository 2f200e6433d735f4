import { CodeBlock } from '../../../parts/code-block.tsx'
import { Dialog, DialogBody } from '../../../parts/dialog.tsx'
import { type CommandQuery, curlOf, platenOf } from './commands.ts'

/** The same comparison outside of the studio, to copy. */
export function CommandsDialog({ query, onClose }: { query: CommandQuery; onClose(): void }) {
  return (
    <Dialog title="The same as a command" size="wide" onClose={onClose}>
      <DialogBody>
        <section class="stack">
          <h3>curl</h3>
          <CodeBlock text={curlOf(query)} label="curl command" wrap />
        </section>
        <section class="stack">
          <h3>Command line</h3>
          <CodeBlock text={platenOf(query)} label="platen command" wrap />
          <p class="field-hint">
            It exits with 1 if a page differs, so that a CI job can stop a version. Its key is in <code>API_KEY</code>,
            with the scopes <code>templates:read</code> and <code>generate</code>.
            {query.data.kind !== 'sample-data' && ' data.json is a file with the data that is chosen here.'}
          </p>
        </section>
      </DialogBody>
    </Dialog>
  )
}
