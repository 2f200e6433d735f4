import { api, unwrap } from '../../api/client.ts'
import { IconButton } from '../../parts/button.tsx'
import type { Language } from '../../parts/code/languages.ts'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { TabText } from '../../parts/tab-text.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useResource } from '../../parts/use-resource.ts'
import { queryValue } from '../../router/address.ts'
import { DifferenceTable } from './difference-table.tsx'
import { PagesTab } from './pages/pages-tab.tsx'
import { readVersion } from './read-template.ts'
import type { Comparison, Content, VersionedTemplate } from './resources.ts'
import { TextDifference } from './text-difference.tsx'

interface DifferencesProps {
  template: VersionedTemplate
  from: number
  to: number
  /** The list of versions beside it. */
  panel: { isOpen: boolean; toggle(): void }
}

/** The tabs after that of the pages, with the fields of a version that each is about. */
const tabs = [
  { value: 'source', text: 'Source', fields: ['html', 'header_html', 'footer_html'] },
  { value: 'options', text: 'Options', fields: ['options', 'retain_input'] },
  { value: 'schema', text: 'Schema', fields: ['data_schema'] },
  { value: 'data', text: 'Data', fields: ['name', 'sample_data', 'samples', 'translations'] },
  { value: 'pins', text: 'Partials and assets', fields: ['partials', 'assets', 'follow_partials'] },
  { value: 'helpers', text: 'Helpers', fields: ['helpers'] },
] as const

/** What differs between two versions: their pages, and each of their parts. */
export function Differences({ template, from, to, panel }: DifferencesProps) {
  const idOrSlug = template.id
  const comparison = useResource<Comparison>(`compare ${idOrSlug} ${from} ${to}`, (signal) => {
    const query = { from: String(from), to: String(to) }
    return unwrap(api.GET('/v1/templates/{idOrSlug}/compare', { params: { path: { idOrSlug }, query }, signal }))
  })
  const contents = useResource<readonly [Content, Content]>(`versions ${idOrSlug} ${from} ${to}`, (signal) =>
    Promise.all([readVersion(idOrSlug, from, signal), readVersion(idOrSlug, to, signal)]),
  )
  const changed: readonly string[] = comparison.value?.changed ?? []
  const shown = queryValue('tab')
  const error = comparison.error ?? contents.error
  return (
    <>
      <div class="versions-tabs">
        <IconButton
          icon="history"
          label={panel.isOpen ? 'Hide the list of versions' : 'Show the list of versions'}
          aria-expanded={panel.isOpen}
          onClick={panel.toggle}
        />
        <Tabs
          label="What is compared"
          name="tab"
          tabs={[
            { value: '', text: 'Pages' },
            ...tabs.map(({ value, text, fields }) => ({
              value,
              text: <TabText text={text} mark={fields.some((field) => changed.includes(field)) && 'changed'} />,
            })),
          ]}
        />
      </div>
      {error !== undefined ? (
        <Failure
          error={error}
          title="The versions could not be compared"
          retry={() => {
            comparison.reload()
            contents.reload()
          }}
        />
      ) : comparison.value === undefined || contents.value === undefined ? (
        <Loading />
      ) : (
        <Tab shown={shown} template={template} comparison={comparison.value} contents={contents.value} />
      )}
    </>
  )
}

interface TabProps {
  shown: string
  template: VersionedTemplate
  comparison: Comparison
  contents: readonly [Content, Content]
}

function Tab({ shown, template, comparison, contents: [before, after] }: TabProps) {
  const { from, to } = comparison
  const versions = { from, to }
  switch (shown) {
    case 'source':
      return (
        <TextTab
          {...versions}
          language="handlebars"
          texts={[
            { name: '', title: 'Body', before: before.html, after: after.html },
            { name: 'header', title: 'Header', before: before.header_html ?? '', after: after.header_html ?? '' },
            { name: 'footer', title: 'Footer', before: before.footer_html ?? '', after: after.footer_html ?? '' },
          ]}
        />
      )
    case 'schema': {
      const [old, now] = [jsonOf(before.data_schema), jsonOf(after.data_schema)]
      return <TextTab {...versions} language="json" texts={[{ name: '', title: 'Schema', before: old, after: now }]} />
    }
    case 'helpers': {
      const text = { name: '', title: 'Helpers', before: before.helpers ?? '', after: after.helpers ?? '' }
      return <TextTab {...versions} language="javascript" texts={[text]} />
    }
    case 'options':
    case 'data':
    case 'pins': {
      const { text, fields } = tabs.find(({ value }) => value === shown) ?? { text: '', fields: [] }
      return <DifferenceTable comparison={comparison} fields={fields} title={text} />
    }
    default:
      return <PagesTab {...versions} template={template} after={after} />
  }
}

const jsonOf = (value: unknown) => (value === undefined ? '' : `${JSON.stringify(value, null, 2)}\n`)

interface ComparedText {
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
function TextTab({ from, to, language, texts }: TextTabProps) {
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
