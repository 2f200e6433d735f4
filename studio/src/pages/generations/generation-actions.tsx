import { useSignal } from '@preact/signals'
import { api, apiUrl, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { attempt } from '../../parts/attempt.ts'
import { Button } from '../../parts/button.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { notify } from '../../parts/toasts.tsx'
import { useAction } from '../../parts/use-action.ts'
import { navigate } from '../../router/address.ts'
import { isComparable } from './compare-path.ts'
import { curlCommands } from './curl-commands.ts'
import type { Generation } from './generation-columns.tsx'
import { CurlDialog, TraceDialog } from './generation-dialogs.tsx'
import { renderAgain } from './render-again.ts'
import { RetryDialog } from './retry-dialog.tsx'
import { isUnfinished, type LiveGeneration } from './use-live-generation.ts'

interface ActionsProps {
  generation: Generation
  live: LiveGeneration
}

/** The acts on a generation: what its state asks for as a button, the others in a menu. */
export function GenerationActions({ generation, live }: ActionsProps) {
  const { id, status, template, batch, erased_at, input_kept_until } = generation
  const shown = useSignal<'curl' | 'retry' | 'trace' | undefined>(undefined)
  const action = useAction()
  const path = { id }
  const act = (work: () => Promise<void>) => action.run(() => attempt(work))
  const cancel = async () => {
    const isConfirmed = await confirm({
      title: 'Cancel this document?',
      body: 'It is not rendered. If the request has a webhook, the receiver is told.',
      action: 'Cancel document',
      tone: 'danger',
    })
    if (!isConfirmed) return
    await act(async () => {
      live.generation.set(await unwrap(api.DELETE('/v1/generations/{id}', { params: { path } })))
      live.refresh()
      notify('The document was cancelled')
    })
  }
  const retry = () => {
    if (template === undefined) void act(() => renderAgain(id))
    else shown.value = 'retry'
  }
  const erase = async () => {
    // Items are stored together.
    const ofBatch = batch === undefined ? '' : ' No other item of its batch can be rendered again then.'
    const isConfirmed = await confirm({
      title: 'Delete the content of this document for good?',
      body: `The PDF and the stored input are deleted.${ofBatch} The generation stays in the list, with the time of the deletion. It cannot be undone.`,
      action: 'Delete content',
      tone: 'danger',
    })
    if (!isConfirmed) return
    await act(async () => {
      await unwrap(api.DELETE('/v1/generations/{id}/content', { params: { path } }))
      live.refresh()
      notify('The content was deleted')
    })
  }
  const isRunning = isUnfinished(generation)
  const hasFile = status === 'completed' && erased_at === undefined
  const mayChange = mayUse('generate')
  const items: MenuItem[] = [
    ...(template === undefined || !mayUse('templates:read') ? [] : [openTemplate(template)]),
    ...(isComparable(generation) ? [compareWithAnother(id)] : []),
    {
      text: 'Trace as JSON',
      icon: 'braces',
      run: () => {
        shown.value = 'trace'
      },
    },
    {
      text: 'Copy as curl',
      icon: 'square-terminal',
      run: () => {
        shown.value = 'curl'
      },
    },
    ...(mayChange && !isRunning && erased_at === undefined
      ? [{ text: 'Delete content', icon: 'trash-2' as const, tone: 'danger' as const, run: () => void erase() }]
      : []),
  ]
  const close = () => {
    shown.value = undefined
  }
  return (
    <>
      {mayChange && isRunning && (
        <Button icon="ban" busy={action.busy} onClick={() => void cancel()}>
          Cancel
        </Button>
      )}
      {mayChange && !isRunning && isKept(input_kept_until) && (
        <Button icon="rotate-cw" busy={action.busy} onClick={retry}>
          Retry
        </Button>
      )}
      {hasFile && (
        <a class="button primary" href={apiUrl(`/v1/generations/${id}/file`, { download: 1 })} download>
          <Icon name="download" />
          Download
        </a>
      )}
      <Menu label="More actions" items={items} />
      {shown.value === 'curl' && <CurlDialog commands={curlCommands(generation)} onClose={close} />}
      {shown.value === 'retry' && template !== undefined && (
        <RetryDialog generation={generation} template={template} onClose={close} />
      )}
      {shown.value === 'trace' && live.timeline.value !== undefined && (
        <TraceDialog timeline={live.timeline.value} onClose={close} />
      )}
    </>
  )
}

/** Whether the document can be rendered again. */
const isKept = (until: string | undefined) => until !== undefined && Date.parse(until) > Date.now()

function compareWithAnother(id: string): MenuItem {
  return {
    text: 'Compare with another document',
    icon: 'git-compare',
    run: () => void navigate(`/generations/${id}/compare`),
  }
}

function openTemplate({ id, version }: { id: string; version: number }): MenuItem {
  return {
    text: `Open the template at version ${version}`,
    icon: 'file-text',
    run: () => void navigate(`/templates/${id}/versions?to=${version}`),
  }
}
