import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import type { Language } from '../../parts/code/languages.ts'
import { useShortcut } from '../../parts/shortcuts.ts'
import { Loaded } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useResource } from '../../parts/use-resource.ts'
import { queryValue } from '../../router/address.ts'
import type { ShownText, TextView } from './text-view.ts'

interface TextDifferenceProps {
  from: number
  to: number
  title: string
  before: string
  after: string
  language: Language
  /** At the left of the buttons. */
  choice: ComponentChildren
}

/** Two texts with what differs marked. The editor is loaded when it is shown. */
export function TextDifference(props: TextDifferenceProps) {
  const module = useResource('text view', () => import('./text-view.ts'))
  return (
    <Loaded resource={module} failure="The difference could not be shown">
      {({ showDifference }) => <Shown {...props} showDifference={showDifference} />}
    </Loaded>
  )
}

type ShownProps = TextDifferenceProps & { showDifference(parent: Element, text: ShownText): TextView }

function Shown({ from, to, title, before, after, language, choice, showDifference }: ShownProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<TextView>(undefined)
  const layout = queryValue('diff') === 'unified' ? 'unified' : 'split'
  useEffect(() => {
    if (place.current === null) return
    const names = { before: `${title} of version ${from}`, after: `${title} of version ${to}` }
    const shown = showDifference(place.current, { before, after, names, language, layout })
    view.current = shown
    return () => shown.remove()
  }, [layout, before, after])
  const next = () => view.current?.goTo('next')
  const previous = () => view.current?.goTo('previous')
  useShortcut('n', 'Next change', next)
  useShortcut('p', 'Previous change', previous)
  return (
    <>
      <div class="comparison-tools">
        {choice}
        <span class="space" />
        <Button icon="chevron-up" onClick={previous}>
          Previous
        </Button>
        <Button icon="chevron-down" onClick={next}>
          Next
        </Button>
        <Tabs
          label="Layout"
          name="diff"
          tabs={[
            { value: '', text: 'Side by side' },
            { value: 'unified', text: 'Unified' },
          ]}
        />
      </div>
      {layout === 'split' && (
        <div class="versions-heads">
          <h2>Version {from}</h2>
          <h2>Version {to}</h2>
        </div>
      )}
      <div ref={place} class="versions-editor" />
    </>
  )
}
