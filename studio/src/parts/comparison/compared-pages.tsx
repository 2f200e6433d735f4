import { queryValue, setQuery } from '../../router/address.ts'
import { Empty } from '../states.tsx'
import { announce } from '../toasts.tsx'
import { besideThatDiffers, type ComparedPage, changeOf, type Names, nameOf, ordered } from './compared.ts'
import { PageStrip } from './page-strip.tsx'
import { PageViewer } from './page-viewer.tsx'
import type { Pictures } from './pictures.ts'

interface ComparedPagesProps {
  pages: readonly ComparedPage[]
  names: Names
  pictures: Pictures
}

/** The pages of two documents: all in little, and one of them in both documents. The address has which one, and how it is shown. */
export function ComparedPages({ pages, names, pictures }: ComparedPagesProps) {
  const shown = ordered(pages, queryValue('order') === 'document' ? 'document' : 'changed-first')
  const wanted = Number(queryValue('page'))
  const first = shown.find(({ page }) => page.status !== 'same') ?? shown[0]
  const current = shown.find(({ place }) => place === wanted) ?? first
  if (current === undefined) return <Empty icon="file-text" title="There are no pages" />
  const go = (step: 1 | -1) => {
    const next = besideThatDiffers(shown, current.place, step)
    if (next === undefined) return
    setQuery({ page: String(next.place) })
    announce(`${nameOf(next.page)}, ${changeOf(next.page)}`)
  }
  return (
    <>
      <PageStrip pages={shown} shown={current.place} />
      <PageViewer
        pictures={pictures}
        names={names}
        page={current.page}
        onNext={() => go(1)}
        onPrevious={() => go(-1)}
      />
    </>
  )
}
