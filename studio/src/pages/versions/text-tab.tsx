import type { Language } from '../../parts/code/languages.ts'
import { Empty } from '../../parts/states.tsx'
import { TabText } from '../../parts/tab-text.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { queryValue } from '../../router/address.ts'
import { TextDifference } from './text-difference.tsx'

export interface ComparedText {
  /** In the address. Empty for the first. */
  name: string
  title: string
  before: string
  after: string
}

interface TextTabProps {
  from: number
  to: number
  language: Language
  texts: readonly ComparedText[]
}

/** Texts of two versions: which one, side by side or in one column. */
export function TextTab({ from, to, language, texts }: TextTabProps) {
  const shown = texts.find(({ name }) => name === queryValue('part')) ?? texts[0]
  if (shown === undefined) return null
  const { title, before, after } = shown
  const choice =
    texts.length < 2 ? undefined : (
      <Tabs
        label="Which source"
        name="part"
        tabs={texts.map(({ name, title, before, after }) => ({
          value: name,
          text: <TabText text={title} mark={before !== after && 'changed'} />,
        }))}
      />
    )
  return (
    <div class="versions-text">
      {before === after && choice !== undefined && <div class="comparison-tools">{choice}</div>}
      {before === after ? (
        <Empty icon="circle-check" title={`${title}: nothing differs`}>
          {before === '' ? 'Neither version has one.' : `Versions ${from} and ${to} have the same.`}
        </Empty>
      ) : (
        <TextDifference
          key={title}
          from={from}
          to={to}
          language={language}
          before={before}
          after={after}
          title={title}
          choice={choice}
        />
      )}
    </div>
  )
}
