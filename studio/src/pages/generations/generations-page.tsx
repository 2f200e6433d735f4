import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'

export function GenerationsPage() {
  return (
    <Page title="Generations">
      <Empty icon="info" title="This page is not there yet" />
    </Page>
  )
}
