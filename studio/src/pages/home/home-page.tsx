import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'

export function HomePage() {
  return (
    <Page title="Home">
      <Empty icon="info" title="This page is not there yet" />
    </Page>
  )
}
