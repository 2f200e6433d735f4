import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { mayUse } from '../../../api/session-state.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { formatDuration } from '../../../parts/format.ts'
import { Empty, Failure } from '../../../parts/states.tsx'
import { announce } from '../../../parts/toasts.tsx'
import { useResource } from '../../../parts/use-resource.ts'
import { actingOwner } from '../../../router/acting-owner.ts'
import { queryValue, setQuery } from '../../../router/address.ts'
import { CommandsDialog } from './commands-dialog.tsx'
import { besideThatDiffers, changeOf, figureOf, nameOf, ordered } from './compared.ts'
import { type ComparedData, type Content, dataOfAddress, jsonOf } from './compared-data.ts'
import { DataChoice } from './data-choice.tsx'
import { type ComparedPages, keyOf, loadPages } from './load-pages.ts'
import { PageStrip } from './page-strip.tsx'
import { PageViewer } from './page-viewer.tsx'
import { pagePictures } from './pictures.ts'
import { PrintedWarnings } from './printed-warnings.tsx'
import { Working } from './working.tsx'

interface PagesTabProps {
  template: { id: string; slug: string; isDeleted: boolean }
  from: number
  to: number
  /** The content of the newer version. */
  after: Content
}

/** The pages of two versions, printed with the same data. */
export function PagesTab(props: PagesTabProps) {
  if (mayUse('generate')) return <PrintedPages {...props} />
  return (
    <Empty icon="key-round" title="Your API key may not print documents">
      To compare pages it needs the scope generate. The other tabs show what differs in the source.
    </Empty>
  )
}

function PrintedPages({ template, from, to, after }: PagesTabProps) {
  const { id } = template
  const isCommandShown = useSignal(false)
  const isFresh = useRef(false)
  const data = dataOfAddress(queryValue('data'), id)
  const query = { idOrSlug: id, from, to, data }
  const compared = useResource(keyOf(query), (signal) => {
    const options = { isFresh: isFresh.current, signal }
    isFresh.current = false
    return loadPages(query, options)
  })
  const { value, error, isLoading } = compared
  const again = () => {
    isFresh.current = true
    compared.reload()
  }
  return (
    <div class="versions-pages">
      <div class="versions-tools">
        <p class="versions-figure" role="status" title={value && tookOf(value)}>
          {value && figureOf(value.pages, value.printed.to.pages)}
        </p>
        <span class="space" />
        <DataChoice templateId={id} newer={after} />
        <IconButton icon="rotate-cw" label="Print and compare again" disabled={isLoading} onClick={again} />
        <Button
          icon="square-terminal"
          onClick={() => {
            isCommandShown.value = true
          }}
        >
          Copy as curl
        </Button>
      </div>
      {error !== undefined && <Failure error={error} title="The pages could not be compared" retry={again} />}
      {error === undefined && isLoading && <Working from={from} to={to} />}
      {error === undefined && !isLoading && value && (
        <Shown {...{ template, from, to, data, after }} compared={value} />
      )}
      {isCommandShown.value && (
        <CommandsDialog
          query={{
            ...{ origin: location.origin, template: template.isDeleted ? id : template.slug, from, to, data },
            owner: actingOwner.value,
          }}
          onClose={() => {
            isCommandShown.value = false
          }}
        />
      )}
    </div>
  )
}

function tookOf({ printed: { duration_ms, engine } }: ComparedPages): string {
  return `Printed and compared in ${formatDuration(duration_ms)} by ${engine.name} ${engine.version}`
}

interface ShownProps extends PagesTabProps {
  data: ComparedData
  compared: ComparedPages
}

function Shown({ template, from, to, data, after, compared }: ShownProps) {
  const { pages, printed } = compared
  const json = jsonOf(data, after)
  const pictures = useMemo(() => pagePictures({ idOrSlug: template.id, json }), [template.id, json])
  useEffect(() => () => pictures.clear(), [pictures])
  const shown = ordered(pages, queryValue('order') === 'document' ? 'document' : 'changed-first')
  const wanted = Number(queryValue('page'))
  const first = shown.find(({ page }) => page.status !== 'same') ?? shown[0]
  const current = shown.find(({ place }) => place === wanted) ?? first
  if (current === undefined) return <Empty icon="file-text" title="There are no pages" />
  const go = (step: 1 | -1) => {
    const next = besideThatDiffers(shown, current.place, step)
    if (next === undefined) return
    setQuery({ page: String(next.place) })
    announce(`${nameOf(next.page)}, ${changeOf(next.page)}`)
  }
  return (
    <>
      <PrintedWarnings {...{ from, to, printed }} />
      <PageStrip pages={shown} shown={current.place} />
      <PageViewer {...{ pictures, from, to }} page={current.page} onNext={() => go(1)} onPrevious={() => go(-1)} />
    </>
  )
}
