import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog, DialogBody } from '../../parts/dialog.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import type { Command } from './curl-commands.ts'
import type { Timeline } from './timeline-rows.ts'

/** The calls of the API behind a page. */
export function CurlDialog({ commands, onClose }: { commands: readonly Command[]; onClose(): void }) {
  return (
    <Dialog title="As curl" size="wide" onClose={onClose}>
      <DialogBody>
        {commands.map(({ title, text }) => (
          <div key={title} class="stack">
            <h3>{title}</h3>
            <CodeBlock text={text} label={`command: ${title}`} wrap />
          </div>
        ))}
      </DialogBody>
    </Dialog>
  )
}

/** All that is known of a generation, as the API has it. */
export function TraceDialog({ timeline, onClose }: { timeline: Timeline; onClose(): void }) {
  return (
    <Dialog title="Trace" size="wide" onClose={onClose}>
      <DialogBody>
        <JsonView value={timeline} label="trace" />
      </DialogBody>
    </Dialog>
  )
}
