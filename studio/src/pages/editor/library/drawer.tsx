import type { Signal } from '@preact/signals'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { formatNumber } from '../../../parts/format.ts'
import type { IconName } from '../../../parts/icons.ts'
import { Notice } from '../../../parts/states.tsx'
import { textOf } from '../../../parts/use-action.ts'
import type { Inserter } from '../code/inserter.ts'
import type { EditorModel } from '../model/editor-model.ts'
import type { Library } from '../model/library.ts'
import type { Problem } from '../model/problem.ts'
import { AssetList } from './asset-list.tsx'
import { PartialList } from './partial-list.tsx'
import { ProblemList } from './problem-list.tsx'

interface DrawerProps {
  model: EditorModel
  library: Library
  problems: readonly Problem[]
  inserter: Inserter
  open: Signal<DrawerPart | undefined>
}

export type DrawerPart = 'problems' | 'partials' | 'assets' | 'none'
const parts: readonly { part: Exclude<DrawerPart, 'none'>; icon: IconName; text: string }[] = [
  { part: 'problems', icon: 'circle-alert', text: 'Problems' },
  { part: 'partials', icon: 'layers', text: 'Partials' },
  { part: 'assets', icon: 'image', text: 'Assets' },
]

/** Below the source: what is wrong, and what can be inserted. */
export function Drawer({ model, library, problems, inserter, open }: DrawerProps) {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  // A save that is refused opens the list. What is half typed does not: it has errors all the time.
  const shown = open.value ?? (model.saveProblems.value.length > 0 ? 'problems' : 'none')
  return (
    <div class="editor-drawer">
      <div class="editor-bar">
        {parts.map(({ part, icon, text }) => (
          <Button
            key={part}
            tone="quiet"
            class="small"
            icon={icon}
            data-pane-focus={part === 'problems' || undefined}
            aria-expanded={shown === part}
            onClick={() => {
              open.value = shown === part ? 'none' : part
            }}
          >
            {text}
            {part === 'problems' && problems.length > 0 && (
              <Badge tone={errors > 0 ? 'bad' : 'warn'}>{formatNumber(problems.length)}</Badge>
            )}
          </Button>
        ))}
      </div>
      {shown === 'problems' && <ProblemList model={model} problems={problems} inserter={inserter} />}
      {shown !== 'none' && shown !== 'problems' && library.error.value !== undefined && (
        <Notice tone="bad">{textOf(library.error.value)}</Notice>
      )}
      {shown === 'partials' && <PartialList model={model} library={library} inserter={inserter} />}
      {shown === 'assets' && <AssetList library={library} inserter={inserter} mayWrite={model.mayWrite} />}
    </div>
  )
}
