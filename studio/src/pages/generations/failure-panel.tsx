import type { Schemas } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Marked } from '../../parts/marked.tsx'
import { useResource } from '../../parts/use-resource.ts'

interface Guide {
  meaning: string
  cure: string
}

/** Why a generation has failed, what that means, and what to do. */
export function FailurePanel({ error }: { error: Schemas['Failure'] }) {
  const { code, message, details } = error
  const guide = useResource<Record<string, Guide>>('error guide', readGuide)
  const known = guide.value?.[code]
  return (
    <section class="generations-failure" aria-label="Failure">
      <Icon name="circle-alert" />
      <div>
        <h2>{message}</h2>
        <p>
          <code>{code}</code> {known?.meaning !== undefined && <Marked text={known.meaning} />}
        </p>
        {known !== undefined && (
          <p>
            <b>What to do:</b> <Marked text={known.cure} />{' '}
            <a href={`/docs/reference/errors#${code.toLowerCase()}`} target="_blank" rel="noopener">
              About this error
            </a>
          </p>
        )}
        {details !== undefined && <JsonView value={details} label="details" openTo={1} />}
      </div>
    </section>
  )
}

async function readGuide(signal: AbortSignal): Promise<Record<string, Guide>> {
  const response = await fetch('/studio/errors.json', { signal })
  return response.ok ? response.json() : {}
}
