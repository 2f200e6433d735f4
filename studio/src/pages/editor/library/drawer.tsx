import { useSignal } from '@preact/signals'
import { Button } from '../../../parts/button.tsx'
import type { IconName } from '../../../parts/icons.ts'
import type { Inserter } from '../code/inserter.ts'
import type { EditorModel } from '../model/editor-model.ts'
import type { Problem } from '../model/problem.ts'
import type { PreviewLoop } from '../preview/preview-loop.ts'
import { ProblemList } from './problem-list.tsx'

interface DrawerProps {
  model: EditorModel
  loop: PreviewLoop
  problems: readonly Problem[]
  inserter: Inserter
}

type Part = 'problems'
const parts: readonly { part: Part; icon: IconName; text: string }[] = [
  { part: 'problems', icon: 'circle-alert', text: 'Problems' },
]

/** Below the source: what is wrong, and what can be inserted. */
export function Drawer({ model, problems, inserter }: DrawerProps) {
  const open = useSignal<Part | undefined>(undefined)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  // An error opens the list as long as nothing else is open.
  const shown = open.value ?? (errors > 0 ? 'problems' : undefined)
  return (
    <div class="editor-drawer" data-open={shown !== undefined || undefined}>
      <div class="editor-bar">
        {parts.map(({ part, icon, text }) => (
          <Button
            key={part}
            tone="quiet"
            icon={icon}
            aria-expanded={shown === part}
            onClick={() => {
              open.value = shown === part ? undefined : part
            }}
          >
            {text}
            {part === 'problems' && problems.length > 0 && (
              <span class={`editor-count ${errors > 0 ? 'bad' : 'warn'}`}>{problems.length}</span>
            )}
          </Button>
        ))}
      </div>
      {shown === 'problems' && <ProblemList model={model} problems={problems} inserter={inserter} />}
    </div>
  )
}
