import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'

export function DeadLettersPage() {
  return (
    <Page title="Dead letters">
      <Empty icon="info" title="This page is not there yet" />
    </Page>
  )
}
