import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'

export function GenerationPage() {
  return (
    <Page title="Generation">
      <Empty icon="info" title="This page is not there yet" />
    </Page>
  )
}
