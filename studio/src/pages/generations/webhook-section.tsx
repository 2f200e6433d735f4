import { api, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { Button } from '../../parts/button.tsx'
import { DeliveryCard } from '../../parts/delivery/delivery-card.tsx'
import { Loaded, Notice } from '../../parts/states.tsx'
import { notify } from '../../parts/toasts.tsx'
import { textOf, useAction } from '../../parts/use-action.ts'
import { isUnfinished, type LiveGeneration } from './use-live-generation.ts'

/** The webhook of a generation with its attempts, and a button that sends it again. */
export function WebhookSection({ live }: { live: LiveGeneration }) {
  const { generation, deliveries, refresh } = live
  const action = useAction()
  const id = generation.value?.id ?? ''
  const redeliver = async () => {
    const isDone = await action.run(async () => {
      const { data } = await unwrap(api.POST('/v1/generations/{id}/deliveries/redeliver', { params: { path: { id } } }))
      deliveries.set(data)
    })
    if (!isDone) return
    notify('The webhook is sent again')
    refresh()
  }
  const mayRedeliver = mayUse('generate')
  return (
    <section aria-labelledby="generation-webhook" class="generations-section">
      <h2 id="generation-webhook">Webhook</h2>
      {action.error !== undefined && <Notice tone="bad">{textOf(action.error)}</Notice>}
      <Loaded resource={deliveries} failure="The deliveries could not be loaded">
        {(loaded) =>
          loaded.length === 0 ? (
            <p class="generations-none">{noneText(live)}</p>
          ) : (
            loaded.map((delivery) => (
              <DeliveryCard
                key={delivery.id}
                delivery={delivery}
                actions={
                  mayRedeliver && (
                    <Button icon="send" busy={action.busy} onClick={() => void redeliver()}>
                      Redeliver
                    </Button>
                  )
                }
              />
            ))
          )
        }
      </Loaded>
    </section>
  )
}

function noneText({ generation }: LiveGeneration): string {
  const { value } = generation
  if (value !== undefined && isUnfinished(value))
    return 'If the request has a webhook_url, it is sent when the document has ended.'
  return 'The request had no webhook_url.'
}
