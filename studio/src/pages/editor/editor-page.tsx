import { useMemo } from 'preact/hooks'
import { ApiError } from '../../api/api-error.ts'
import { api, unwrapExact } from '../../api/client.ts'
import { Link } from '../../parts/link.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { useResource } from '../../parts/use-resource.ts'
import { queryValue } from '../../router/address.ts'
import { Editor } from './editor.tsx'
import { EditorModel } from './model/editor-model.ts'
import type { Template } from './model/fields.ts'

/** Writes a template beside its true preview. */
export function EditorPage({ params: { id = '' } }: { params: Readonly<Record<string, string>> }) {
  const template = useResource(id, (signal) => {
    const params = { path: { idOrSlug: id } }
    const call = api.GET('/v1/templates/{idOrSlug}', { params, signal, cache: 'no-store', parseAs: 'text' })
    return unwrapExact<Template>(call)
  })
  if (template.value !== undefined) return <Opened template={template.value} />
  const { error } = template
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Page title="Not found">
        <Empty
          icon="search"
          title="There is no such template"
          action={
            <Link class="button" to="/templates">
              Go to the templates
            </Link>
          }
        >
          It may have been deleted, or it is another owner’s.
        </Empty>
      </Page>
    )
  }
  return (
    <Page title="Editor">
      {error === undefined ? (
        <Loading />
      ) : (
        <Failure error={error} title="The template could not be loaded" retry={template.reload} />
      )}
    </Page>
  )
}

/** A template that is loaded again, after a lost connection, does not replace what one types. */
function Opened({ template }: { template: Template }) {
  const model = useMemo(() => new EditorModel(template, queryValue('set')), [])
  return <Editor model={model} />
}
