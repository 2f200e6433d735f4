import type { ComponentChildren } from 'preact'
import { formatBytes, formatDuration, formatNumber } from '../../parts/format.ts'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/time.tsx'
import type { Generation } from './generation-columns.tsx'
import { templateName } from './template-names.ts'
import type { Timeline } from './timeline-rows.ts'

interface FactsProps {
  generation: Generation
  timeline: Timeline | undefined
}

/** What is known of a generation, in one glance. */
export function GenerationFacts({ generation, timeline }: FactsProps) {
  const { created_at, status, template, pages, size, duration_ms, batch, metadata = {}, engine } = generation
  const { input_kept_until, erased_at } = generation
  const hasEnded = status !== 'queued' && status !== 'rendering'
  const { queue_ms, attempts = 0, renderer } = timeline ?? {}
  return (
    <dl class="generations-facts">
      <Fact name="Accepted">
        <Time at={created_at} />
      </Fact>
      {template !== undefined && (
        <Fact name="Template">
          <Link to={`/templates/${template.id}/versions?to=${template.version}`}>
            {templateName(template.id) ?? template.id}, version {template.version}
          </Link>
        </Fact>
      )}
      {queue_ms !== undefined && <Fact name="Waited">{formatDuration(queue_ms)}</Fact>}
      {duration_ms !== undefined && <Fact name="Rendered in">{formatDuration(duration_ms)}</Fact>}
      {attempts > 1 && <Fact name="Attempts">{formatNumber(attempts)}</Fact>}
      {pages !== undefined && <Fact name="Pages">{formatNumber(pages)}</Fact>}
      {size !== undefined && <Fact name="Size">{formatBytes(size)}</Fact>}
      {engine !== undefined && (
        <Fact name="Engine">{`${engine.name} ${engine.version.split('.')[0]}, ${engine.mode}`}</Fact>
      )}
      {renderer !== undefined && <Fact name="Renderer">{renderer}</Fact>}
      {input_kept_until !== undefined && (
        <Fact name="Input kept until">
          <Time at={input_kept_until} />
        </Fact>
      )}
      {hasEnded && input_kept_until === undefined && erased_at === undefined && (
        <Fact name="Retry">
          not possible: its{' '}
          <a href="/docs/guides/retain-input" target="_blank" rel="noopener">
            input is not kept
          </a>
        </Fact>
      )}
      {batch !== undefined && (
        <Fact name="Batch">
          <code>{batch.id}</code>, item {formatNumber(batch.index)}
        </Fact>
      )}
      {Object.entries(metadata).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
