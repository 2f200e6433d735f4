import { useSignal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Filters, hasFilter, NothingFound, pathWithFilters } from '../../parts/filters/filters.tsx'
import { TextFilter } from '../../parts/filters/text-filter.tsx'
import { TimeFilter } from '../../parts/filters/time-filter.tsx'
import { formatNumber } from '../../parts/format.ts'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { useOwnerNames } from '../../parts/use-owner-names.ts'
import { pageSize, usePagedList } from '../../parts/use-paged-list.ts'
import { actingOwner } from '../../router/acting-owner.ts'
import { queryValue, setQuery } from '../../router/address.ts'
import { ActDialog } from './act-dialog.tsx'
import type { Act, Choice } from './act-on-many.ts'
import { type Letter, letterColumns } from './letter-columns.tsx'
import { LetterDialog } from './letter-dialog.tsx'
import { filterNames, filterOfAddress, queryOf } from './letter-filter.ts'

/** Messages that no service could handle. They are sent again or removed: one, those that are chosen, or those of the filter. */
export function DeadLettersPage() {
  const acting = useSignal<{ act: Act; choice: Choice } | undefined>(undefined)
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const owners = useOwnerNames(true)
  const opened = queryValue('letter')
  const key = `dead-letters ${JSON.stringify([actingOwner.value, filterNames.map(queryValue)])}`
  const list = usePagedList<Letter>(
    key,
    (cursor, signal) => {
      const query = { ...queryOf(filterOfAddress()), limit: pageSize, ...(cursor !== undefined && { cursor }) }
      return unwrap(api.GET('/v1/dead-letters', { params: { query }, signal }))
    },
    ({ id }) => id,
  )
  const ids = list.items.value.map(({ id }) => id).filter((id) => chosen.value.has(id))
  const begin = (act: Act) => {
    acting.value = { act, choice: ids.length > 0 ? { ids } : { filter: filterOfAddress() } }
  }
  const choose = (id: string) => {
    const others = [...chosen.value].filter((other) => other !== id)
    chosen.value = new Set(chosen.value.has(id) ? others : [...others, id])
  }
  const close = (hasActed: boolean) => {
    acting.value = undefined
    if (!hasActed) return
    chosen.value = new Set()
    setQuery({ letter: '' }, { replace: false })
    void list.reload()
  }
  const title = actingOwner.value === undefined ? 'Dead letters of all owners' : 'Dead letters of one owner'
  const which = ids.length > 0 ? formatNumber(ids.length) : 'all'
  return (
    <Page
      title={title}
      layout="list"
      actions={
        list.items.value.length > 0 && (
          <>
            <Button icon="trash-2" onClick={() => begin('drop')}>
              {`Drop ${which}…`}
            </Button>
            <Button icon="rotate-cw" onClick={() => begin('retry')}>
              {`Retry ${which}…`}
            </Button>
          </>
        )
      }
      bar={<LetterFilters />}
    >
      <Table
        key={key}
        label="Dead letters"
        list={list}
        columns={letterColumns({ isChosen: (id) => chosen.value.has(id), onChoose: choose, owners })}
        idOf={({ id }) => id}
        linkOf={({ id: letter }) => pathWithFilters('/dead-letters', filterNames, { letter })}
        empty={hasFilter(filterNames) ? <NoneFound /> : <NoLetters />}
      />
      {opened !== '' && (
        <LetterDialog
          key={opened}
          id={opened}
          owners={owners}
          onClose={() => setQuery({ letter: '' }, { replace: false })}
          onAct={(act) => {
            acting.value = { act, choice: { ids: [opened] } }
          }}
        />
      )}
      {acting.value !== undefined && <ActDialog {...acting.value} onClose={close} />}
    </Page>
  )
}

function LetterFilters() {
  return (
    <Filters names={filterNames}>
      <TextFilter label="Reason" name="reason" hint="A part of the reason." placeholder="timeout" />
      <TextFilter label="Subject" name="subject" hint="The beginning of the subject." placeholder="commands.render." />
      <TimeFilter />
    </Filters>
  )
}

function NoneFound() {
  return (
    <NothingFound title="No dead letter matches the filters" names={filterNames}>
      The search looks for a part of the reason, or for the beginning of the subject.
    </NothingFound>
  )
}

function NoLetters() {
  return (
    <Empty
      icon="circle-check"
      title="No dead letters"
      action={
        <a class="button" href="/docs/operate/runbooks/PlatenDeadLetters" target="_blank" rel="noopener">
          What to do about dead letters
        </a>
      }
    >
      That is good: every message was handled. A message that no service can read, or that fails again and again, is
      kept here with the reason, until it is sent again or dropped.
    </Empty>
  )
}
