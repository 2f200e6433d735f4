import { api, unwrap } from '../../../api/client.ts'
import { Link } from '../../../parts/link.tsx'
import { Page } from '../../../parts/page.tsx'
import { Empty, Failure, Loading } from '../../../parts/states.tsx'
import { Table } from '../../../parts/table.tsx'
import { pageSize, usePagedList } from '../../../parts/use-paged-list.ts'
import { useResource } from '../../../parts/use-resource.ts'
import { actingOwner } from '../../../router/acting-owner.ts'
import { comparePath, isComparable } from '../compare-path.ts'
import { type Generation, generationColumns } from '../generation-columns.tsx'

const title = 'Compare with another document'

/** Chooses the document that one is compared with: the others of its template. */
export function OtherDocument({ id }: { id: string }) {
  const { value, error, reload } = useResource<Generation>(`generation ${id}`, (signal) =>
    unwrap(api.GET('/v1/generations/{id}', { params: { path: { id } }, signal })),
  )
  if (value !== undefined) return <Others generation={value} />
  return (
    <Page title={title}>
      {error === undefined ? (
        <Loading />
      ) : (
        <Failure error={error} title="The generation could not be loaded" retry={reload} />
      )}
    </Page>
  )
}

function Others({ generation }: { generation: Generation }) {
  const { id, file_name, template } = generation
  const list = usePagedList<Generation>(
    `compared ${JSON.stringify([actingOwner.value, id])}`,
    async (cursor, signal) => {
      const ofTemplate = template === undefined ? {} : { template: template.id }
      const more = cursor === undefined ? {} : { cursor }
      const query = { status: 'completed' as const, limit: pageSize, ...ofTemplate, ...more }
      const page = await unwrap(api.GET('/v1/generations', { params: { query }, signal }))
      return { ...page, data: page.data.filter((other) => other.id !== id && isComparable(other)) }
    },
    (other) => other.id,
  )
  return (
    <Page
      title={title}
      layout="list"
      bar={
        <p>
          Choose the document that <Link to={`/generations/${id}`}>{file_name ?? id}</Link> is compared with.
        </p>
      }
    >
      {isComparable(generation) ? (
        <Table
          label="Documents to compare with"
          list={list}
          columns={generationColumns(undefined)}
          idOf={(other) => other.id}
          linkOf={(other) => comparePath(id, other.id)}
          empty={<NoOther id={id} isOfTemplate={template !== undefined} />}
        />
      ) : (
        <Empty icon="file-text" title="This document has no PDF">
          Only documents that are completed, and whose content is not deleted, are compared.
        </Empty>
      )}
    </Page>
  )
}

function NoOther({ id, isOfTemplate }: { id: string; isOfTemplate: boolean }) {
  return (
    <Empty
      icon="printer"
      title={isOfTemplate ? 'There is no other document of this template' : 'There is no other document'}
      action={
        <Link class="button" to={`/generations/${id}`}>
          Back to the document
        </Link>
      }
    >
      Render it again with another version of its template, or request another one.
    </Empty>
  )
}
