import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'

export function DeliveriesPage() {
  return (
    <Page title="Deliveries">
      <Empty icon="info" title="This page is not there yet" />
    </Page>
  )
}
