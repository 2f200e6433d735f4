import { apiUrl, type Schemas } from '../../api/client.ts'
import { StatusBadge } from '../../parts/badge.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { count, formatClock, formatDuration, withLocalTimes } from '../../parts/format.ts'
import { Link } from '../../parts/link.tsx'
import { Page } from '../../parts/page.tsx'
import { PdfPages } from '../../parts/pdf/pdf-pages.tsx'
import { Loaded, Notice } from '../../parts/states.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Time } from '../../parts/time.tsx'
import { comparePath, isComparable } from './compare-path.ts'
import { FailurePanel } from './failure-panel.tsx'
import { GenerationActions } from './generation-actions.tsx'
import type { Generation } from './generation-columns.tsx'
import { GenerationFacts } from './generation-facts.tsx'
import { templateName } from './template-names.ts'
import type { Timeline } from './timeline-rows.ts'
import { TimelineView } from './timeline-view.tsx'
import { isUnfinished, type LiveGeneration, useLiveGeneration } from './use-live-generation.ts'
import { WebhookSection } from './webhook-section.tsx'

/** One generation: what happened from its request to its webhook, its PDF, and what can be done with it. */
export function GenerationPage({ params }: { params: Readonly<Record<string, string>> }) {
  const { id = '' } = params
  const live = useLiveGeneration(id)
  const generation = live.generation.value
  return (
    <Page
      title={generation === undefined ? 'Generation' : titleOf(generation)}
      beside={
        <>
          {generation !== undefined && <StatusBadge status={generation.status} />}
          <Copyable text={id} label="Copy id" />
        </>
      }
      actions={generation !== undefined && <GenerationActions generation={generation} live={live} />}
    >
      <Loaded resource={live.generation} failure="The generation could not be loaded">
        {(loaded) => <Content generation={loaded} live={live} />}
      </Loaded>
    </Page>
  )
}

function titleOf({ file_name, template }: Generation): string {
  return file_name ?? (template === undefined ? 'Document' : (templateName(template.id) ?? 'Document'))
}

function Content({ generation, live }: { generation: Generation; live: LiveGeneration }) {
  const { id, error, warnings = [], retry_of, erased_at } = generation
  return (
    <>
      {retry_of !== undefined && (
        <p class="generations-origin">
          A retry of <Link to={`/generations/${retry_of}`}>{retry_of}</Link>
          {isComparable(generation) && (
            <>
              {' · '}
              <Link to={comparePath(retry_of, id)}>Compare their pages</Link>
            </>
          )}
        </p>
      )}
      {error !== undefined && <FailurePanel error={error} />}
      {erased_at !== undefined && (
        <div class="generations-notice">
          <Notice tone="info">
            The PDF and the stored input were deleted for good on <Time at={erased_at} />.
          </Notice>
        </div>
      )}
      <GenerationFacts generation={generation} timeline={live.timeline.value} />
      <section aria-label="Timeline" class="generations-section">
        <Loaded resource={live.timeline} failure="The timeline could not be loaded">
          {(timeline) => (
            <>
              <TimelineView timeline={timeline} />
              {timeline.notes.map((note) => (
                <p key={note} class="generations-note">
                  {note}
                </p>
              ))}
              <EventLog timeline={timeline} />
            </>
          )}
        </Loaded>
      </section>
      <div class="generations-columns">
        <div>
          <WebhookSection live={live} />
          {warnings.length > 0 && <WarningList warnings={warnings} />}
        </div>
        <PdfSection generation={generation} />
      </div>
    </>
  )
}

function PdfSection({ generation }: { generation: Generation }) {
  const { id, status, erased_at } = generation
  if (status === 'failed' || status === 'cancelled' || erased_at !== undefined) return null
  return (
    <section aria-labelledby="generation-document" class="generations-document">
      <h2 id="generation-document">Document</h2>
      {isUnfinished(generation) ? (
        <p class="generations-waiting">Its pages appear here when it is printed.</p>
      ) : (
        <PdfPages url={apiUrl(`/v1/generations/${id}/file`)} label={`Pages of ${titleOf(generation)}`} />
      )}
    </section>
  )
}

type Warning = Schemas['Warning']

/** What did not make the generation fail, and where it is. */
function WarningList({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <section aria-labelledby="generation-warnings" class="generations-section">
      <h2 id="generation-warnings">{count(warnings.length, 'warning')}</h2>
      <ul class="generations-warning-list">
        {warnings.map((warning, at) => (
          <li key={at}>
            <p>{warning.message}</p>
            <p class="generations-place">
              <code>{warning.code}</code> {placeOf(warning)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function placeOf({ element, source, line, column, path }: Warning): string {
  const lines = line === undefined ? [] : [`line ${line}${column === undefined ? '' : `:${column}`}`]
  return [element, path, source, ...lines].filter((part) => part !== undefined).join(' · ')
}

/** Each event with the time since the request. */
function EventLog({ timeline }: { timeline: Timeline }) {
  const { events } = timeline
  return (
    <details class="generations-events">
      <Summary>{count(events.length, 'event')}</Summary>
      <table class="plain-table generations-event-table" aria-label="Events">
        <thead>
          <tr>
            <th scope="col">After</th>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ at, offset_ms, type, what }, index) => (
            <tr key={index}>
              <td>{offset_ms === 0 ? '0' : formatDuration(offset_ms)}</td>
              <td>
                <time dateTime={at}>{formatClock(at)}</time>
              </td>
              <td>
                {withLocalTimes(what)} <code>{type}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
