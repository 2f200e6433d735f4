import { mayUse } from '../../api/session-state.ts'
import { Badge } from '../../parts/badge.tsx'
import { Link } from '../../parts/link.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { Alerts, Attention, Failures, NotChecked } from './attention.tsx'
import { Figures } from './figures.tsx'
import { Machinery } from './machinery.tsx'
import { type Status, useStatus } from './use-status.ts'

/** What `platen status` says, live: each figure leads to the list that it counts. */
export function HomePage() {
  return mayUse('generations:read') ? <LiveHome /> : <HomeWithoutFigures />
}

function LiveHome() {
  const { resource, isLive } = useStatus()
  const isOfDeployment = resource.value !== undefined && resource.value.owner_id === undefined
  return (
    <Page
      title={isOfDeployment ? 'Home, all owners' : 'Home'}
      beside={resource.value && <Badge tone={isLive ? 'ok' : 'warn'}>{isLive ? 'live' : 'not live'}</Badge>}
    >
      <Loaded resource={resource} failure="The status could not be loaded">
        {(status) => <Home status={status} />}
      </Loaded>
    </Page>
  )
}

function Home({ status }: { status: Status }) {
  return (
    <div class="home">
      <Figures status={status} />
      <NotChecked status={status} />
      <div class="home-columns">
        <Attention status={status} />
        <Alerts status={status} />
        <Failures status={status} />
      </div>
      <Machinery status={status} />
    </div>
  )
}

function HomeWithoutFigures() {
  return (
    <Page title="Home">
      <Empty
        icon="house"
        title="This key sees no generations"
        action={
          mayUse('templates:read') && (
            <Link class="button" to="/templates">
              Templates
            </Link>
          )
        }
      >
        The figures of this page need the scope <code>generations:read</code>.
      </Empty>
    </Page>
  )
}
