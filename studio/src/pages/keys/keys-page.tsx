import { useSignal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { Page } from '../../parts/page.tsx'
import { Notice } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { notify } from '../../parts/toasts.tsx'
import { useAction } from '../../parts/use-action.ts'
import { queryValue } from '../../router/address.ts'
import { KeyList } from './key-list.tsx'
import { OwnerList } from './owner-list.tsx'

const tabs = [
  { value: '', text: 'API keys' },
  { value: 'secret', text: 'Webhook secret' },
  { value: 'owners', text: 'Owners' },
]

/** API keys, the webhook secret and the owners. */
export function KeysPage() {
  const bar = <Tabs label="What is shown" name="show" tabs={tabs} />
  switch (queryValue('show')) {
    case 'secret':
      return (
        <Page title="Keys" bar={bar}>
          <WebhookSecret />
        </Page>
      )
    case 'owners':
      return <OwnerList bar={bar} />
    default:
      return <KeyList bar={bar} />
  }
}

/** The secret that signs the webhooks of the owner. It is read only when somebody asks to see it. */
function WebhookSecret() {
  const secret = useSignal<string | undefined>(undefined)
  const reading = useAction()
  const rotating = useAction()
  const show = () =>
    reading.run(async () => {
      secret.value = (await unwrap(api.GET('/v1/webhook-secret'))).secret
    })
  const rotate = async () => {
    const isConfirmed = await confirm({
      title: 'Replace the webhook secret?',
      body: 'Webhooks are signed with the new and the old secret for a day, and then with the new one only. Give receivers the new one within that time.',
      action: 'Replace webhook secret',
    })
    if (!isConfirmed) return
    await rotating.run(async () => {
      secret.value = (await unwrap(api.POST('/v1/webhook-secret/rotate'))).secret
      notify('The webhook secret was replaced')
    })
  }
  const problem = reading.problemBeside() ?? rotating.problemBeside()
  return (
    <section class="keys-secret">
      <p>
        Webhooks follow{' '}
        <a href="https://www.standardwebhooks.com" rel="noreferrer" target="_blank">
          Standard Webhooks
        </a>
        . A receiver verifies <code>webhook-signature</code> with this secret.
      </p>
      {secret.value !== undefined && <CodeBlock text={secret.value} label="webhook secret" wrap />}
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <div class="button-row">
        {secret.value === undefined && (
          <Button icon="eye" busy={reading.busy} onClick={() => void show()}>
            Show the secret
          </Button>
        )}
        <Button icon="refresh-cw" busy={rotating.busy} onClick={() => void rotate()}>
          Replace the secret
        </Button>
      </div>
    </section>
  )
}
