import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { queryValue } from '../../router/address.ts'
import { KeyList } from './key-list.tsx'
import { OwnerList } from './owner-list.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

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
