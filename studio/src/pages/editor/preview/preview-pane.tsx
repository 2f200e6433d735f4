import { useSignal, useSignalEffect } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { count, formatNumber } from '../../../parts/format.ts'
import { Icon } from '../../../parts/icon.tsx'
import { PdfView } from '../../../parts/pdf/pdf-view.ts'
import { Empty, Failure, Notice } from '../../../parts/states.tsx'
import { textOf } from '../../../parts/use-action.ts'
import { useSlow } from '../../../parts/use-slow.ts'
import { ZoomControl, zoomOfAddress } from '../../../parts/zoom.tsx'
import { ProblemLine } from '../library/problem-list.tsx'
import type { Place, Problem } from '../model/problem.ts'
import type { PreviewLoop } from './preview-loop.ts'

/** What is half typed has errors that pass with the next keys. */
const lastingMs = 800

/** The pages of the document as they are printed. */
export function PreviewPane({ loop, onShow }: { loop: PreviewLoop; onShow(place: Place): void }) {
  const scroller = useRef<HTMLElement>(null)
  const pages = useRef<PdfView>(undefined)
  const drawn = useSignal<{ revision: number; pages: number } | undefined>(undefined)
  const page = useSignal(1)
  const drawFailure = useSignal<unknown>(undefined)
  const sheets = useSignal<ReadonlyMap<number, HTMLElement>>(new Map())
  const scale = useSignal(1)
  const zoom = zoomOfAddress()
  useEffect(() => {
    if (scroller.current === null) return
    const opened = new PdfView(scroller.current, {
      scroller: scroller.current,
      onDrawn: (revision, count) => {
        drawn.value = { revision, pages: count }
      },
      onPage: (number) => {
        page.value = number
      },
      onSheet: (number, notes, isThere) => {
        const others = [...sheets.value].filter(([other]) => other !== number)
        sheets.value = new Map(isThere ? [...others, [number, notes]] : others)
        if (!isThere) render(null, notes)
      },
      onScale: (found) => {
        scale.value = found
      },
    })
    pages.current = opened
    opened.zoom = zoom
    return () => opened.destroy()
  }, [])
  useEffect(() => {
    if (pages.current !== undefined) pages.current.zoom = zoom
  }, [zoom])
  useSignalEffect(() => {
    const { value: result } = loop.result
    if (result === undefined) return
    drawFailure.value = undefined
    pages.current?.show(result.preview.pdf, result.revision).catch((err) => {
      drawFailure.value = err
    })
  })
  useSignalEffect(() => {
    const { value: warnings } = loop.warnings
    for (const [number, notes] of sheets.value) {
      const problems = warnings.filter((warning) => warning.page === number)
      render(<PageNotes page={number} problems={problems} onShow={onShow} />, notes)
    }
  })
  // Until the answer is drawn, too.
  const isBusy = loop.isBusy.value || (loop.result.value?.revision ?? 0) > (drawn.value?.revision ?? 0)
  const isSlow = useSlow(isBusy)
  const hasErrors = loop.problems.value.length > 0
  const failure = loop.failure.value ?? drawFailure.value
  const isEmpty = drawn.value === undefined
  const isFailing = useSlow(hasErrors, lastingMs)
  return (
    <section class="editor-pane editor-preview" aria-label="Preview" aria-busy={isBusy || undefined}>
      <div class="editor-bar">
        <span class="editor-pages">
          {drawn.value && `Page ${formatNumber(page.value)} of ${formatNumber(drawn.value.pages)}`}
        </span>
        <span class="editor-progress" role="status" data-busy={isSlow || undefined}>
          {isSlow ? 'Printing…' : ''}
        </span>
        <ZoomControl scale={scale.value} />
      </div>
      {isFailing && !isEmpty && (
        <Notice tone="warn">
          The pages are those before {loop.problems.value.length === 1 ? 'the error' : 'the errors'}:{' '}
          {loop.problems.value[0]?.text}
        </Notice>
      )}
      {failure !== undefined && !isEmpty && <Notice tone="bad">{textOf(failure)}</Notice>}
      {isEmpty && failure !== undefined && (
        <Failure error={failure} title="There is no preview" retry={() => loop.again()} />
      )}
      {isEmpty && hasErrors && (
        <Empty icon="triangle-alert" title="The template has an error">
          {loop.problems.value[0]?.text}
        </Empty>
      )}
      {!loop.mayPreview && (
        <Empty icon="key-round" title="Your API key may not preview">
          It needs the scope generate.
        </Empty>
      )}
      <section
        ref={scroller}
        class="editor-sheets"
        data-pane-focus
        data-drawn={drawn.value?.revision}
        hidden={isEmpty && (hasErrors || failure !== undefined || !loop.mayPreview)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        aria-label="Pages"
      />
    </section>
  )
}

interface PageNotesProps {
  page: number
  /** The warnings that are about the page. */
  problems: readonly Problem[]
  onShow(place: Place): void
}

/** Beside a page of the preview: its warnings. */
function PageNotes({ page, problems, onShow }: PageNotesProps) {
  const isOpen = useSignal(false)
  if (problems.length === 0) return null
  const close = () => {
    isOpen.value = false
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the button has opened
    <div
      class="editor-notes"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <button
        type="button"
        class="editor-note"
        aria-expanded={isOpen.value}
        aria-label={`${count(problems.length, 'warning')} on page ${page}`}
        title={`${count(problems.length, 'warning')} on page ${page}`}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon name="triangle-alert" />
      </button>
      {isOpen.value && (
        <ul class="editor-problems">
          {problems.map(({ page: _, ...problem }, index) => (
            <li key={index}>
              <ProblemLine
                problem={problem}
                onShow={(place) => {
                  close()
                  onShow(place)
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
