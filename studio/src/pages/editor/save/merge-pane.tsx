import { useEffect, useRef } from 'preact/hooks'
import type { Language } from '../../../parts/code/languages.ts'
import { type OpenedMerge, openMergeView } from '../code/merge-view.ts'

interface MergePaneProps {
  theirs: string
  result: string
  version: number
  language: Language
  onChange(text: string): void
}

/** Their text beside the one that will be saved, with the differences. An arrow takes one over. */
export function MergePane({ theirs, result, version, language, onChange }: MergePaneProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<OpenedMerge>(undefined)
  useEffect(() => {
    if (host.current === null) return
    const opened = openMergeView(host.current, { theirs, result, version, language, onChange })
    view.current = opened
    return () => opened.destroy()
  }, [])
  useEffect(() => view.current?.setResult(result), [result])
  return (
    <div class="editor-merge">
      <div class="editor-merge-heads">
        <span>Theirs, version {version}</span>
        <span>To be saved</span>
      </div>
      <div ref={host} class="editor-merge-view" />
    </div>
  )
}
