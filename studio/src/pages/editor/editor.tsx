import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { Link } from '../../parts/link.tsx'
import { Page } from '../../parts/page.tsx'
import { useShortcut } from '../../parts/shortcuts.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { notify } from '../../parts/toasts.tsx'
import { guardLeaving, queryValue, setQuery } from '../../router/address.ts'
import { Inserter } from './code/inserter.ts'
import { showPlace } from './library/show-place.ts'
import type { EditorModel } from './model/editor-model.ts'
import { partialOfTab } from './model/tab-of.ts'
import { PreviewLoop } from './preview/preview-loop.ts'
import { PreviewPane } from './preview/preview-pane.tsx'
import { Conflict } from './save/conflict.tsx'
import { CopyCurl } from './save/copy-curl.tsx'
import { Leftover } from './save/leftover.tsx'
import { PartialConflict } from './save/partial-conflict.tsx'
import { Rename } from './save/rename.tsx'
import { SourcePane } from './source-pane.tsx'

const panes = [
  { value: '', text: 'Source' },
  { value: 'preview', text: 'Preview' },
]

/** The sources of a template at the left, its preview at the right. */
export function Editor({ model }: { model: EditorModel }) {
  const loop = useMemo(() => new PreviewLoop(model), [])
  const inserter = useMemo(() => new Inserter(() => setQuery({ tab: '', as: '', pane: '' })), [])
  const isRenaming = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => loop.follow(), [])
  useEffect(() => (model.mayWrite ? model.keepDraft() : undefined), [])
  useLeaveQuestion(model)
  const save = async () => {
    if (await model.save()) notify(`“${model.fields.value.name}” is saved`)
  }
  const switchPane = () => nextPane(root.current)
  useShortcut('mod+s', 'Save', () => void save())
  useShortcut('F6', 'Go to the next pane', switchPane)
  const { template, fields, changed, mayWrite } = model
  const { id, version } = template.value
  const { name } = fields.value
  return (
    <Page
      title={name}
      layout="wide"
      beside={
        <>
          {mayWrite && (
            <IconButton
              icon="pencil"
              label="Rename"
              onClick={() => {
                isRenaming.value = true
              }}
            />
          )}
          <Link to={`/templates/${id}/versions`} class="editor-version">
            Version {version}
          </Link>
          <Status model={model} />
        </>
      }
      actions={
        <>
          <div class="editor-panes">
            <Tabs label="What is shown" name="pane" tabs={panes} />
          </div>
          <CopyCurl model={model} />
          {mayWrite && (
            <Button
              icon="save"
              tone="primary"
              busy={model.isSaving.value}
              disabled={changed.value.length === 0}
              onClick={() => void save()}
            >
              Save
            </Button>
          )}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: F6 works in the fields and in the editor, too */}
      <div
        ref={root}
        class="editor"
        data-pane={queryValue('pane') || 'source'}
        onKeyDown={(event) => {
          if (event.key !== 'F6') return
          event.preventDefault()
          switchPane()
        }}
      >
        <SourcePane model={model} loop={loop} inserter={inserter} />
        <PreviewPane loop={loop} onShow={(place) => showPlace(model, inserter, place)} />
      </div>
      {isRenaming.value && (
        <Rename
          model={model}
          onClose={() => {
            isRenaming.value = false
          }}
        />
      )}
      <Leftover model={model} />
      <Conflict model={model} onMerged={() => void save()} />
      <PartialConflict model={model} onMerged={() => void save()} />
    </Page>
  )
}

function Status({ model }: { model: EditorModel }) {
  const { mayWrite, changed } = model
  if (!mayWrite) return <Badge>read-only</Badge>
  if (changed.value.length === 0) return null
  const ask = async () => {
    const isConfirmed = await confirm({
      title: 'Discard the unsaved changes?',
      body: `The template is again as version ${model.template.value.version} has it.`,
      action: 'Discard changes',
      tone: 'danger',
    })
    if (!isConfirmed) return
    model.discard()
    const partial = partialOfTab(queryValue('tab'))
    if (partial !== undefined && !Object.hasOwn(model.fields.value.partials, partial)) setQuery({ tab: '' })
  }
  return (
    <>
      <Badge tone="warn">unsaved</Badge>
      <IconButton icon="rotate-ccw" label="Discard changes" onClick={() => void ask()} />
    </>
  )
}

function useLeaveQuestion(model: EditorModel): void {
  useEffect(() => {
    const hasChanges = () => model.mayWrite && model.changed.value.length > 0
    const stop = guardLeaving(async () => {
      if (!hasChanges()) return true
      return confirm({
        title: 'Leave without saving?',
        body: 'The changes are kept in this browser, and offered when you open the template again.',
        action: 'Leave',
      })
    })
    const ask = (event: BeforeUnloadEvent) => {
      if (hasChanges()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => {
      stop()
      removeEventListener('beforeunload', ask)
    }
  }, [])
}

/** Of the panes, the first one after that with the focus. A narrow window shows one pane at a time: then it is shown. */
function nextPane(root: HTMLElement | null): void {
  const stops = [...(root?.querySelectorAll<HTMLElement>('[data-pane-focus]') ?? [])].filter((stop) => !stop.hidden)
  const regionOf = (element: Element | null) => element?.closest('.editor-drawer, .editor-pane')
  const region = regionOf(document.activeElement)
  const at = stops.findIndex((stop) => region && regionOf(stop) === region)
  const stop = stops[(at + 1) % stops.length]
  if (stop === undefined) return
  const isShown = stop.getClientRects().length > 0
  if (!isShown) setQuery({ pane: stop.closest('.editor-preview') === null ? '' : 'preview' })
  const focus = () => (stop.matches('.editor-code') ? stop.dispatchEvent(new Event('focus-code')) : stop.focus())
  if (isShown) focus()
  else requestAnimationFrame(focus)
}
