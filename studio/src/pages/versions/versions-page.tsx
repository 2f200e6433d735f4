import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'

export function VersionsPage() {
  return (
    <Page title="Versions">
      <Empty icon="info" title="This page is not there yet" />
    </Page>
  )
}
