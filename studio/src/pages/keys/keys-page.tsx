import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { queryValue } from '../../router/address.ts'
import { KeyList } from './key-list.tsx'
import { OwnerList } from './owner-list.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** API keys, the webhook secret and the owners. */
export function KeysPage() {
  const shown = queryValue('show')
  return (
    <Page
      title="Keys"
      layout={shown === 'secret' ? undefined : 'list'}
      bar={
        <Tabs
          label="What is shown"
          name="show"
          tabs={[
            { value: '', text: 'API keys' },
            { value: 'secret', text: 'Webhook secret' },
            { value: 'owners', text: 'Owners' },
          ]}
        />
      }
    >
      {shown === 'secret' ? <WebhookSecret /> : shown === 'owners' ? <OwnerList /> : <KeyList />}
    </Page>
  )
}
