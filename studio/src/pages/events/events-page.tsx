import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'

export function EventsPage() {
  return (
    <Page title="Events">
      <Empty icon="info" title="This page is not there yet" />
    </Page>
  )
}
