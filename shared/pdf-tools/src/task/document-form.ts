/** The inputs of a printed document. */
export interface DocumentForm {
  /** In the place of each input the PDF has a link to this URL with the index of its field. */
  url: string
  /** In the order of the document. */
  fields: FormInput[]
}

/** An input of a document (HTML, 4.10), as it is when the document is printed. */
export interface FormInput {
  type: 'text' | 'checkbox' | 'radio' | 'choice'
  /** Its name or else its id. Empty if it has neither. */
  name: string
  /** What it is called for people: its label, for example. */
  label: string
  isReadOnly: boolean
  isRequired: boolean
  /** In CSS pixels. The box of the link has this width. */
  width: number
  /** In CSS pixels. */
  fontSize: number
  /** Red, green and blue, 0 to 255. */
  color: [number, number, number]
  /** The text, or the value of a button that is on. */
  value: string
  text?: {
    isMultiline: boolean
    isPassword: boolean
    align: 'left' | 'center' | 'right'
    maxLength?: number
  }
  button?: {
    isOn: boolean
    /** Radio buttons with the same number are one field. */
    group: number
    /** What the group is called for people. */
    groupLabel: string
  }
  choice?: {
    isMultiple: boolean
    /** A list of which several options are shown. */
    isList: boolean
    options: { value: string; text: string; isSelected: boolean }[]
  }
}
