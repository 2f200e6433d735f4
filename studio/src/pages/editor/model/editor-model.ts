import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { ApiError } from '../../../api/api-error.ts'
import { api, unwrapExact } from '../../../api/client.ts'
import { currentSession, mayUse } from '../../../api/session-state.ts'
import { notify } from '../../../parts/toasts.tsx'
import { actingOwner } from '../../../router/acting-owner.ts'
import { type DocumentId, dataDocument, documentText, withDocument } from './documents.ts'
import {
  changedFields,
  changedPartials,
  changesOf,
  type EditedPartial,
  type FieldName,
  type Fields,
  fieldsOf,
  type Template,
} from './fields.ts'
import { parseObject } from './parse-json.ts'
import { type Problem, problemsOf } from './problem.ts'
import { type FoundDraft, forgetDraft, newDraftName, newestDraft, storeDraft } from './stored-draft.ts'
import { readPartial, savePartial } from './stored-partial.ts'

const storeAfterMs = 250

/** A template that is edited: what the server has, what one has changed, and how it is saved. */
export class EditorModel {
  /** As the server has it. */
  readonly template: Signal<Template>
  readonly fields: Signal<Fields>
  readonly changed: ReadonlySignal<readonly FieldName[]>
  /** The set of data that is shown and previewed. Empty: `sample_data`. */
  readonly set = signal('')
  /** Why the last save was refused. Removed by the next change. */
  readonly saveProblems = signal<readonly Problem[]>([])
  /** The template was saved by somebody else in the meantime. */
  readonly conflict = signal<Template | undefined>(undefined)
  /** The same of a partial. */
  readonly partialConflict = signal<{ name: string; theirs: EditedPartial } | undefined>(undefined)
  /** Counts how often partials were saved or deleted. */
  readonly partialChanges = signal(0)
  readonly isSaving = signal(false)
  /** Unsaved work of an earlier visit, until one has decided on it. */
  readonly leftover: Signal<FoundDraft | undefined>
  readonly mayWrite = mayUse('templates:write')
  readonly #base: Signal<Fields>
  /** As the server had it last. */
  #newest: Template
  readonly #owner = actingOwner.value ?? currentSession().owner.id
  readonly #draftName: string
  /** Whether the browser could store the unsaved work. */
  #isKept = true
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `set`: the set of data that is shown first, if there is one of this name. */
  constructor(template: Template, set = '') {
    this.#newest = template
    this.template = signal(template)
    this.#draftName = newDraftName(this.#owner, template.id)
    this.#base = signal(fieldsOf(template))
    this.fields = signal(this.#base.value)
    if (Object.hasOwn(this.fields.value.samples, set)) this.set.value = set
    this.leftover = signal(this.#readLeftover())
    this.changed = computed(() => changedFields(this.#base.value, this.fields.value))
  }

  #readLeftover(): FoundDraft | undefined {
    const draft = this.mayWrite ? newestDraft(this.#owner, this.template.value.id) : undefined
    return draft !== undefined && Object.keys(draft.fields).length > 0 ? draft : undefined
  }

  /** Removes the unsaved work of an earlier visit. */
  discardLeftover(): void {
    if (this.leftover.value !== undefined) forgetDraft(this.leftover.value.name)
    this.leftover.value = undefined
  }

  /** The fields of the version that is changed. */
  get base(): Fields {
    return this.#base.value
  }

  /** Keeps unsaved work in the browser until the returned function is called. */
  keepDraft(): () => void {
    const store = () => this.#store()
    const stop = effect(() => {
      // Read here, so that a change of one of them is noticed.
      void this.changed.value
      void this.fields.value
      clearTimeout(this.#timer)
      this.#timer = setTimeout(store, storeAfterMs)
    })
    addEventListener('pagehide', store)
    return () => {
      stop()
      store()
      removeEventListener('pagehide', store)
    }
  }

  #store(): void {
    clearTimeout(this.#timer)
    if (this.changed.value.length === 0) {
      forgetDraft(this.#draftName)
      return
    }
    const { version } = this.template.value
    const at = new Date().toISOString()
    const changed = (fields: Fields) => Object.fromEntries(this.changed.value.map((name) => [name, fields[name]]))
    const isKept = storeDraft(this.#draftName, {
      version,
      at,
      base: changed(this.base),
      fields: changed(this.fields.value),
    })
    if (!isKept && this.#isKept)
      notify('The unsaved changes are too large to be kept in this browser. Save them.', 'bad')
    this.#isKept = isKept
  }

  /** If it was made of an earlier version, the save is a conflict, as it is for two people. */
  restore({ base, fields, version, name }: FoundDraft): void {
    batch(() => {
      this.leftover.value = undefined
      // What one has not changed is as it is now.
      const newest = this.fieldsOf(this.#newest)
      this.#base.value = { ...newest, ...base }
      this.fields.value = { ...newest, ...fields }
      this.template.value = { ...this.#newest, version }
    })
    this.#store()
    forgetDraft(name)
  }

  /** The fields of the template, with the partials that are open. */
  fieldsOf(template: Template): Fields {
    return { ...fieldsOf(template), partials: this.#base.value.partials }
  }

  /** Opens a partial beside the sources. Rejects with an ApiError. */
  async openPartial(name: string): Promise<void> {
    if (Object.hasOwn(this.fields.value.partials, name)) return
    const partial = await readPartial(name)
    if (!Object.hasOwn(this.fields.value.partials, name)) this.#setPartial(name, partial, partial)
  }

  /** Begins a partial, which is stored by the next save. */
  addPartial(name: string): void {
    const partials = {
      ...this.fields.value.partials,
      [name]: { html: `<div>\n  {{! ${name} }}\n</div>\n`, version: 0 },
    }
    this.change({ partials })
  }

  /** Closes a partial, and discards what was changed in it. */
  closePartial(name: string): void {
    this.#setPartial(name, undefined, undefined)
  }

  /** Goes on from the partial of the server with this source, which a person has merged. */
  mergePartial(name: string, theirs: EditedPartial, html: string): void {
    this.#setPartial(name, theirs, { html, version: theirs.version })
    this.partialConflict.value = undefined
  }

  #setPartial(name: string, base: EditedPartial | undefined, shown: EditedPartial | undefined): void {
    const withPartial = (fields: Fields, partial: EditedPartial | undefined): Fields => {
      const { [name]: _, ...others } = fields.partials
      return { ...fields, partials: partial === undefined ? others : { ...fields.partials, [name]: partial } }
    }
    batch(() => {
      this.#base.value = withPartial(this.#base.value, base)
      this.fields.value = withPartial(this.fields.value, shown)
    })
  }

  change(changes: Partial<Fields>): void {
    batch(() => {
      this.fields.value = { ...this.fields.value, ...changes }
      this.saveProblems.value = []
    })
  }

  write(id: DocumentId, text: string): void {
    this.change(withDocument(this.fields.value, id, text))
  }

  text(id: DocumentId): string {
    return documentText(this.fields.value, id)
  }

  discard(): void {
    this.saved(this.#newest, this.fieldsOf(this.#newest))
    this.fields.value = this.#base.value
    this.#leaveLostSet()
  }

  /** Problems that can be seen without the server: texts that are not JSON. */
  get textProblems(): Problem[] {
    const { samples, data_schema, translations } = this.fields.value
    const documents = ['', ...Object.keys(samples)].map(dataDocument)
    if (data_schema.trim() !== '') documents.push('data_schema')
    if (translations.trim() !== '') documents.push('translations')
    return documents.flatMap((document) => {
      const parsed = parseObject(this.text(document))
      if ('value' in parsed) return []
      const { problem: text, line, column } = parsed
      return [{ severity: 'error' as const, text, place: { document, line, column } }]
    })
  }

  /** Saves what was changed. Resolves with whether it is saved; else `saveProblems` or `conflict` says why not. */
  async save(): Promise<boolean> {
    if (this.isSaving.value || !this.mayWrite) return false
    if (this.changed.value.length === 0) return true
    const problems = this.textProblems
    if (problems.length > 0) {
      this.saveProblems.value = problems
      return false
    }
    this.isSaving.value = true
    const { id, version } = this.template.value
    const wanted = this.fields.value
    const base = this.#base.value
    const hasPartials = changedPartials(base, wanted).length > 0
    try {
      if (!(await this.#savePartials(base, wanted))) return false
      const changes = changesOf(base, wanted)
      // A template keeps the versions of partials that it was saved with: it is saved with the new ones.
      const body = hasPartials ? { html: wanted.html, ...changes } : changes
      const template = await unwrapExact<Template>(
        api.PATCH('/v1/templates/{idOrSlug}', {
          params: { path: { idOrSlug: id }, header: { 'if-match': `"${version}"` } },
          body,
          parseAs: 'text',
        }),
      )
      this.saved(template, { ...wanted, partials: this.#base.value.partials })
      return true
    } catch (err) {
      if (err instanceof ApiError && err.code === 'PRECONDITION_FAILED') return await this.#meetConflict(id, wanted)
      this.saveProblems.value = problemsOf(err, dataDocument(this.set.value), (id) => this.text(id))
      return false
    } finally {
      this.isSaving.value = false
    }
  }

  /** Saves the partials that were changed. Resolves with whether they are saved; else `partialConflict` says why not. */
  async #savePartials(before: Fields, after: Fields): Promise<boolean> {
    for (const [name, partial] of changedPartials(before, after)) {
      const result = await savePartial(name, partial)
      if ('theirs' in result) {
        this.partialConflict.value = { name, theirs: result.theirs }
        return false
      }
      const { html = partial.html } = this.fields.value.partials[name] ?? {}
      this.#setPartial(name, result.saved, { html, version: result.saved.version })
      this.partialChanges.value++
    }
    return true
  }

  /** What was typed in the meantime stays. */
  saved(template: Template, fields: Fields): void {
    this.#newest = template
    batch(() => {
      this.template.value = template
      this.#base.value = fields
      this.saveProblems.value = []
    })
  }

  /** Goes on from the template of the server with these fields, which a person has merged. */
  merge(theirs: Template, merged: Fields): void {
    this.#newest = theirs
    batch(() => {
      this.template.value = theirs
      this.#base.value = this.fieldsOf(theirs)
      this.fields.value = merged
      this.conflict.value = undefined
      this.saveProblems.value = []
      this.#leaveLostSet()
    })
  }

  /** A set of data that is no more cannot be shown: what is typed would create it again. */
  #leaveLostSet(): void {
    if (!Object.hasOwn(this.fields.value.samples, this.set.value)) this.set.value = ''
  }

  /** Resolves with whether the template is as it was to be saved: the answer of an earlier request may have been lost. */
  async #meetConflict(idOrSlug: string, wanted: Fields): Promise<boolean> {
    try {
      const theirs = await unwrapExact<Template>(
        api.GET('/v1/templates/{idOrSlug}', { params: { path: { idOrSlug } }, cache: 'no-store', parseAs: 'text' }),
      )
      const saved = this.fieldsOf(theirs)
      const isSaved = changedFields(saved, { ...wanted, partials: saved.partials }).length === 0
      if (isSaved) this.saved(theirs, saved)
      else this.conflict.value = theirs
      return isSaved
    } catch (err) {
      this.saveProblems.value = problemsOf(err, dataDocument(this.set.value), (id) => this.text(id))
      return false
    }
  }
}
