import type { PDFContext, PDFDict, PDFRef } from '@cantoo/pdf-lib'
import { updateAppearances } from '../operations/form-fields.ts'
import { change, type Outcome } from '../pdf/change-pdf.ts'
import { name, textString } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { arrayOf } from '../pdf/trees.ts'
import type { DocumentForm, FormInput } from '../task/document-form.ts'
import type { PdfBounds, PdfFile, PdfTask } from '../task/task.ts'
import { stateAppearances, statesOf } from './button-states.ts'
import {
  appearanceString,
  describeCheckbox,
  describeChoice,
  describeMark,
  describeText,
  makeWidget,
  radioField,
} from './field-entries.ts'
import { FieldNames } from './field-names.ts'
import { tagWidgets } from './form-elements.ts'
import { type InputLink, takeInputLinks } from './input-links.ts'

/** Fields by their full names. Each partial name with others below it is a field of its own (ISO 32000-2, 12.7.4.1). */
class FieldTree {
  readonly #context: PDFContext
  readonly #top: PDFRef[] = []
  readonly #groups = new Map<string, { ref: PDFRef; dict: PDFDict; kids: PDFRef[] }>()

  constructor(context: PDFContext) {
    this.#context = context
  }

  add(fullName: string, { ref, dict }: { ref: PDFRef; dict: PDFDict }): void {
    const parts = fullName.split('.')
    dict.set(name('T'), textString(parts.at(-1) ?? ''))
    this.#attach(ref, dict, parts.slice(0, -1))
  }

  /** The fields at the top. */
  write(): PDFRef[] {
    for (const { dict, kids } of this.#groups.values()) dict.set(name('Kids'), arrayOf(this.#context, kids))
    return this.#top
  }

  #attach(ref: PDFRef, dict: PDFDict, parents: readonly string[]): void {
    if (parents.length === 0) this.#top.push(ref)
    else {
      const group = this.#group(parents)
      dict.set(name('Parent'), group.ref)
      group.kids.push(ref)
    }
  }

  #group(parts: readonly string[]) {
    const key = parts.join('.')
    const known = this.#groups.get(key)
    if (known) return known
    const dict = this.#context.obj({ T: textString(parts.at(-1) ?? '') })
    const group = { ref: this.#context.register(dict), dict, kids: [] }
    this.#groups.set(key, group)
    this.#attach(group.ref, dict, parts.slice(0, -1))
    return group
  }
}

/** Makes an interactive form (AcroForm, ISO 32000-2, 12.7) of the inputs of a printed document. Throws PdfToolFailed. */
export async function addForm(
  { bytes }: PdfFile,
  { form, fonts }: Pick<PdfTask, 'fonts'> & { form: DocumentForm },
  bounds: PdfBounds,
): Promise<Outcome> {
  return change({ bytes }, bounds.maxPages, async (pdf) => {
    const links = takeInputLinks(pdf, form.url)
    if (form.fields.length === 0) return ['The document has no inputs that become form fields']
    const made = new FormMaker(pdf, links).make(form.fields)
    return [...made, ...(await updateAppearances(pdf, { fonts }))]
  })
}

interface Placed {
  input: FormInput
  link: InputLink
}

class FormMaker {
  readonly #pdf: OpenPdf
  readonly #links: ReadonlyMap<number, InputLink>
  readonly #names = new FieldNames()
  readonly #tree: FieldTree

  constructor(pdf: OpenPdf, links: ReadonlyMap<number, InputLink>) {
    this.#pdf = pdf
    this.#links = links
    this.#tree = new FieldTree(pdf.context)
  }

  /** Returns warnings. */
  make(inputs: readonly FormInput[]): string[] {
    const { context, catalog } = this.#pdf
    const groups = Map.groupBy(this.#placed(inputs), ({ input }, index) =>
      input.type === 'radio' ? `${input.button?.group}` : `field ${index}`,
    )
    for (const [first, ...others] of groups.values()) if (first) this.#add(first, others)
    const fonts = { Helv: this.#font('Helvetica', 'WinAnsiEncoding'), ZaDb: this.#font('ZapfDingbats') }
    const form = context.obj({ DA: '/Helv 0 Tf 0 g', DR: { Font: fonts } })
    form.set(name('Fields'), arrayOf(context, this.#tree.write()))
    catalog.set(name('AcroForm'), context.register(form))
    tagWidgets(this.#pdf, this.#links)
    return this.#warnings()
  }

  #placed(inputs: readonly FormInput[]): Placed[] {
    return inputs.flatMap((input, index) => {
      const link = this.#links.get(index)
      return link ? { input, link } : []
    })
  }

  #add(first: Placed, others: readonly Placed[]): void {
    const { input, link } = first
    const fullName = this.#names.add(input.name)
    const field =
      input.type === 'radio' ? this.#radioGroup([first, ...others]) : { ref: link.ref, dict: this.#single(first) }
    this.#tree.add(fullName, field)
  }

  #single({ input, link }: Placed): PDFDict {
    const widget = makeWidget(link)
    widget.set(name('DA'), appearanceString(input, link))
    if (input.type === 'checkbox') {
      const { names, options } = statesOf([input.value])
      const [state = 'Yes'] = names
      describeCheckbox(widget, input, state, options)
      this.#mark({ input, link }, state)
    } else if (input.type === 'choice') describeChoice(widget, input)
    else describeText(widget, input)
    return widget
  }

  #radioGroup(placed: readonly [Placed, ...Placed[]]): { ref: PDFRef; dict: PDFDict } {
    const { context } = this.#pdf
    const [first, ...others] = placed
    const { names, options } = statesOf(placed.map(({ input }) => input.value))
    const on = placed.findIndex(({ input }) => input.button?.isOn)
    const inputs = [first.input, ...others.map(({ input }) => input)] as const
    const dict = radioField(context, inputs, names[on] ?? 'Off', options)
    const ref = context.register(dict)
    for (const [index, each] of placed.entries()) {
      const widget = makeWidget(each.link)
      widget.set(name('Parent'), ref)
      widget.set(name('DA'), appearanceString(each.input, each.link))
      const { label } = each.input
      if (label !== '') widget.set(name('TU'), textString(label))
      this.#mark(each, names[index] ?? 'Yes', index === on)
    }
    dict.set(
      name('Kids'),
      arrayOf(
        context,
        placed.map(({ link }) => link.ref),
      ),
    )
    return { ref, dict }
  }

  #mark({ input, link }: Placed, state: string, isOn = input.button?.isOn ?? false): void {
    describeMark(link.dict, { state: isOn ? state : 'Off', caption: input.type === 'radio' ? 'l' : '4' })
    link.dict.set(name('AP'), stateAppearances(this.#pdf.context, input, link, state))
  }

  #font(base: string, encoding?: string): PDFRef {
    const { context } = this.#pdf
    return context.register(
      context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: base, ...(encoding && { Encoding: encoding }) }),
    )
  }

  #warnings(): string[] {
    const { renamed, example } = this.#names
    if (!example) return []
    const [wanted, used] = example.map((text) => JSON.stringify(text))
    return [`Names of fields must be unique, so that ${renamed} of them have changed, such as ${wanted} to ${used}`]
  }
}
