import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { mayUse } from '../../../api/session-state.ts'
import { IconButton } from '../../../parts/button.tsx'
import { CodeBlock } from '../../../parts/code-block.tsx'
import { figureOf } from '../../../parts/comparison/compared.ts'
import { ComparedPages } from '../../../parts/comparison/compared-pages.tsx'
import { ComparisonTools } from '../../../parts/comparison/comparison-tools.tsx'
import { Working } from '../../../parts/comparison/working.tsx'
import { Dialog, DialogBody } from '../../../parts/dialog.tsx'
import { count, formatDuration } from '../../../parts/format.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Empty, Failure } from '../../../parts/states.tsx'
import { Summary } from '../../../parts/summary.tsx'
import { useResource } from '../../../parts/use-resource.ts'
import { actingOwner } from '../../../router/acting-owner.ts'
import { queryValue } from '../../../router/address.ts'
import { type CommandQuery, curlOf, platenOf } from './commands.ts'
import { type ComparedData, type Content, dataOfAddress, jsonOf } from './compared-data.ts'
import { DataChoice } from './data-choice.tsx'
import { keyOf, loadPages, type PrintedPages } from './load-pages.ts'
import { versionPictures } from './version-pictures.ts'

interface PagesTabProps {
  template: { id: string; slug: string; isDeleted: boolean }
  from: number
  to: number
  /** The content of the newer version. */
  after: Content
}

/** The pages of two versions, printed with the same data. */
export function PagesTab(props: PagesTabProps) {
  if (mayUse('generate')) return <Printed {...props} />
  return (
    <Empty icon="key-round" title="Your API key may not print documents">
      To compare pages it needs the scope generate. The other tabs show what differs in the source.
    </Empty>
  )
}

function Printed({ template, from, to, after }: PagesTabProps) {
  const { id } = template
  const isCommandShown = useSignal(false)
  const isFresh = useRef(false)
  const data = dataOfAddress(queryValue('data'), id)
  const query = { idOrSlug: id, from, to, data }
  const compared = useResource(keyOf(query), (signal) => {
    const options = { isFresh: isFresh.current, signal }
    isFresh.current = false
    return loadPages(query, options)
  })
  const { value, error, isLoading } = compared
  const again = () => {
    isFresh.current = true
    compared.reload()
  }
  return (
    <div class="comparison-pages">
      <ComparisonTools
        figure={value && figureOf(value.pages, value.printed.to.pages)}
        title={value && tookOf(value)}
        onCopyAsCurl={() => {
          isCommandShown.value = true
        }}
      >
        <DataChoice templateId={id} newer={after} />
        <IconButton icon="rotate-cw" label="Print and compare again" disabled={isLoading} onClick={again} />
      </ComparisonTools>
      {error !== undefined && <Failure error={error} title="The pages could not be compared" retry={again} />}
      {error === undefined && isLoading && (
        <Working text={`Printing versions ${from} and ${to}, and comparing their pages…`} />
      )}
      {error === undefined && !isLoading && value && (
        <Shown template={template} from={from} to={to} data={data} after={after} compared={value} />
      )}
      {isCommandShown.value && (
        <CommandsDialog
          query={{
            origin: location.origin,
            template: template.isDeleted ? id : template.slug,
            from,
            to,
            data,
            owner: actingOwner.value,
          }}
          onClose={() => {
            isCommandShown.value = false
          }}
        />
      )}
    </div>
  )
}

function tookOf({ printed: { duration_ms, engine } }: PrintedPages): string {
  return `Printed and compared in ${formatDuration(duration_ms)} by ${engine.name} ${engine.version}`
}

interface ShownProps extends PagesTabProps {
  data: ComparedData
  compared: PrintedPages
}

function Shown({ template, from, to, data, after, compared }: ShownProps) {
  const { pages, printed } = compared
  const json = jsonOf(data, after)
  const { id: idOrSlug } = template
  const pictures = useMemo(() => versionPictures({ idOrSlug, from, to, json }), [idOrSlug, from, to, json])
  useEffect(() => () => pictures.clear(), [pictures])
  return (
    <>
      <PrintedWarnings from={from} to={to} printed={printed} />
      <ComparedPages pages={pages} pictures={pictures} names={{ from: `version ${from}`, to: `version ${to}` }} />
    </>
  )
}

/** The same comparison outside of the studio, to copy. */
function CommandsDialog({ query, onClose }: { query: CommandQuery; onClose(): void }) {
  return (
    <Dialog title="The same as a command" size="wide" onClose={onClose}>
      <DialogBody>
        <section class="stack">
          <h3>curl</h3>
          <CodeBlock text={curlOf(query)} label="curl command" wrap />
        </section>
        <section class="stack">
          <h3>Command line</h3>
          <CodeBlock text={platenOf(query)} label="platen command" wrap />
          <p class="field-hint">
            It exits with 1 if a page differs, so that a CI job can stop a version. Its key is in <code>API_KEY</code>,
            with the scopes <code>templates:read</code> and <code>generate</code>.
            {query.data.kind !== 'sample-data' && ' data.json is a file with the data that is chosen here.'}
          </p>
        </section>
      </DialogBody>
    </Dialog>
  )
}

interface PrintedWarningsProps {
  from: number
  to: number
  printed: PrintedPages['printed']
}

/** The warnings of both documents, if there are any. */
function PrintedWarnings({ from, to, printed }: PrintedWarningsProps) {
  const documents = [
    { version: from, warnings: printed.from.warnings },
    { version: to, warnings: printed.to.warnings },
  ].filter(({ warnings }) => warnings.length > 0)
  if (documents.length === 0) return null
  return documents.map(({ version, warnings }) => (
    <details key={version} class="versions-warnings">
      <Summary>
        <Icon name="triangle-alert" />
        {count(warnings.length, 'warning')} in version {version}
      </Summary>
      <ul>
        {warnings.map(({ code, message }) => (
          <li key={`${code} ${message}`}>
            <code>{code}</code> {message}
          </li>
        ))}
      </ul>
    </details>
  ))
}
