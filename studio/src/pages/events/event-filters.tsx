import { ChoiceFilter } from '../../parts/filters/choice-filter.tsx'
import { Filters } from '../../parts/filters/filters.tsx'
import { TextFilter } from '../../parts/filters/text-filter.tsx'
import { TimeFilter } from '../../parts/filters/time-filter.tsx'
import { useResource } from '../../parts/use-resource.ts'
import { queryValue } from '../../router/address.ts'
import { eventCategories } from './event-categories.ts'
import { filterNames, isFollowing } from './event-filter.ts'

/** By kind, type, request, time and position; or one stream. New events have neither a time range nor a position. */
export function EventFilters() {
  const categories = useResource('event categories', eventCategories)
  const chosen = queryValue('category')
  const known = categories.value ?? []
  const types = known.filter(({ category }) => chosen === '' || category === chosen).flatMap(({ types }) => types)
  const isStream = queryValue('stream') !== '' && !isFollowing()
  return (
    <Filters names={filterNames}>
      {!isFollowing() && (
        <TextFilter
          label="Stream"
          name="stream"
          hint="The id of a document, a template or another thing with events, or the name of its stream."
          placeholder="pdf_…"
        />
      )}
      {!isStream && (
        <>
          <ChoiceFilter
            label="Category"
            name="category"
            clears={['type']}
            choices={known.map(({ category }) => ({ value: category, text: category }))}
          />
          <ChoiceFilter label="Type" name="type" choices={types.map((type) => ({ value: type, text: type }))} />
          <TextFilter
            label="Request"
            name="request"
            hint="What a request has caused: the x-request-id of its response, which is the correlation id of messages."
            placeholder="req_…"
          />
        </>
      )}
      {!isStream && !isFollowing() && (
        <>
          <TimeFilter />
          <TextFilter label="Position" name="after" hint="Events after this position." placeholder="position" />
        </>
      )}
    </Filters>
  )
}
