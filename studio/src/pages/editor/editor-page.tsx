import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'

export function EditorPage() {
  return (
    <Page title="Editor">
      <Empty icon="info" title="This page is not there yet" />
    </Page>
  )
}
