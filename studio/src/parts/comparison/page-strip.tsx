import { useEffect, useRef } from 'preact/hooks'
import { address, base } from '../../router/address.ts'
import { Link } from '../link.tsx'
import { moveFocus } from '../move-focus.ts'
import { Tabs } from '../tabs.tsx'
import { changeOf, nameOf, type PlacedPage } from './compared.ts'
import { PageGlyph } from './page-glyph.tsx'

interface PageStripProps {
  pages: readonly PlacedPage[]
  /** The place of the page that is shown. */
  shown: number
}

/** All pages in little. Each is a link. */
export function PageStrip({ pages, shown }: PageStripProps) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [shown])
  return (
    <div class="comparison-pages-bar">
      <nav class="comparison-strip" aria-label="Pages">
        <ol ref={list} onKeyDown={moveBetween}>
          {pages.map(({ place, page }) => (
            <li key={place} title={`${nameOf(page)}: ${changeOf(page)}`}>
              <Link
                to={addressOf(place)}
                class="comparison-strip-page"
                data-status={page.status}
                aria-current={place === shown ? 'true' : undefined}
              >
                <PageGlyph page={page} />
                <span class="visually-hidden">Page </span>
                <span class="comparison-strip-number">
                  {signs[page.status]}
                  {page.to?.page ?? page.from?.page}
                </span>
                <span class="visually-hidden">, {changeOf(page)}</span>
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      {pages.length > 1 && (
        <Tabs
          label="Order of the pages"
          name="order"
          tabs={[
            { value: '', text: 'Changed first' },
            { value: 'document', text: 'In order' },
          ]}
        />
      )}
    </div>
  )
}

const signs: Readonly<Record<string, string>> = { added: '+', removed: '−' }

function addressOf(place: number): string {
  const { pathname, searchParams } = address.value
  const query = new URLSearchParams(searchParams)
  query.set('page', String(place))
  return `${pathname.slice(base.length)}?${query}`
}

/** Left and right go to the page before and after. */
function moveBetween(event: KeyboardEvent): void {
  if (!(event.currentTarget instanceof HTMLElement)) return
  const next = moveFocus(event, [...event.currentTarget.querySelectorAll('a')], { axis: 'horizontal' })
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
