import { useLayoutEffect } from 'preact/hooks'
import { signOut } from '../api/session.ts'
import { currentSession, mayUse } from '../api/session-state.ts'
import { attempt } from '../parts/attempt.ts'
import { IconButton } from '../parts/button.tsx'
import { formatTime } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { useShortcut } from '../parts/shortcuts.ts'
import { actingOwner } from '../router/acting-owner.ts'
import { address, navigate, setQuery } from '../router/address.ts'
import { matchRoute } from '../router/routes.ts'
import { OwnerSwitch } from './owner-switch.tsx'
import { PageHost } from './page-host.tsx'
import { pages, type StudioPage } from './pages.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { setTheme, type Theme, theme } from './theme.ts'

const next = { system: 'light', light: 'dark', dark: 'system' } as const satisfies Record<Theme, Theme>
const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const
const names = { system: 'as the system', light: 'light', dark: 'dark' }

/** Changes between the colours of the system, light and dark. */
function ThemeSwitch() {
  const { value } = theme
  return (
    <IconButton
      class="theme-switch"
      icon={icons[value]}
      label={`Colours: ${names[value]}. Change to ${names[next[value]]}`}
      onClick={() => setTheme(next[value])}
    />
  )
}

/** The navigation at the left, and the page. */
export function Shell() {
  const owner = actingOwner.value
  // An address that an administrator has sent names an owner, which other keys may not.
  useLayoutEffect(() => {
    if (owner !== undefined && !mayUse('admin')) setQuery({ owner: '' })
  }, [owner])
  useShortcut('/', 'Search', () => document.querySelector<HTMLElement>('[data-search]')?.focus())
  return (
    <div class="shell">
      {/* biome-ignore lint/a11y/useValidAnchor: a link of the page, whose fragment would be a new address */}
      <a class="skip-link" href="#content" onClick={skipToContent}>
        Skip to content
      </a>
      <nav class="nav" aria-label="Studio">
        <Link to="/" class="brand">
          Platen
        </Link>
        <OwnerSwitch />
        <ul>
          {pages.map((page) => page.nav !== undefined && isAllowed(page) && <NavItem key={page.path} page={page} />)}
        </ul>
        <div class="nav-foot">
          <a class="nav-link" href="/docs/" title="Documentation" target="_blank" rel="noopener">
            <Icon name="book-open" />
            <span>Documentation</span>
          </a>
          <ShortcutsDialog />
          <ThemeSwitch />
          <Account />
        </div>
      </nav>
      <main id="content" class="content" tabIndex={-1}>
        {owner !== undefined && <p class="owner-note">You look at what belongs to another owner.</p>}
        <PageHost />
      </main>
    </div>
  )
}

const isAllowed = ({ scopes }: StudioPage) => scopes === undefined || mayUse(...scopes)

function NavItem({ page }: { page: StudioPage }) {
  const { path, name, nav } = page
  useShortcut(`g ${nav?.key}`, `Go to ${name}`, () => void navigate(path))
  // A page below, such as the editor below the templates, marks its parent.
  const shown = matchRoute(pages, address.value)?.route.path ?? ''
  const isHere = shown === path || (path !== '/' && shown.startsWith(`${path}/`))
  return (
    <li>
      <Link to={path} class="nav-link" title={name} aria-current={isHere ? 'page' : undefined}>
        {nav && <Icon name={nav.icon} />}
        <span>{name}</span>
      </Link>
    </li>
  )
}

function skipToContent(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#content')?.focus()
}

/** The API key that is signed in, and a button to sign out. */
function Account() {
  const { api_key: key, owner, expires_at: until } = currentSession()
  return (
    <div class="account">
      <div class="account-name" title={until && `The session ends ${formatTime(until)}`}>
        <span>{key.name}</span>
        <small>{owner.name}</small>
      </div>
      <IconButton icon="log-out" label="Sign out" onClick={() => void attempt(signOut)} />
    </div>
  )
}
