import { useEffect, useRef } from 'preact/hooks'
import { address, base } from '../../router/address.ts'
import { Link } from '../link.tsx'
import { moveFocus } from '../move-focus.ts'
import { Tabs } from '../tabs.tsx'
import { type ComparedPage, changeOf, nameOf, type PlacedPage } from './compared.ts'

/** In pixels. */
const height = 40
const smallest = 3

/** A page in little, with the areas that differ. */
function PageGlyph({ page }: { page: ComparedPage }) {
  const { status, boxes, from, to } = page
  const side = to ?? from
  if (side === undefined) return null
  const width = Math.min(56, (height * side.width) / side.height)
  const pxPerMm = width / side.width
  return (
    <span class="comparison-glyph" data-status={status} style={{ width: `${width}px`, height: `${height}px` }}>
      {status === 'changed' &&
        boxes.map(({ x, y, width, height }) => (
          <span
            key={`${x} ${y} ${width} ${height}`}
            style={{
              left: `${x * pxPerMm}px`,
              top: `${y * pxPerMm}px`,
              width: `${Math.max(smallest, width * pxPerMm)}px`,
              height: `${Math.max(smallest, height * pxPerMm)}px`,
            }}
          />
        ))}
    </span>
  )
}

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
