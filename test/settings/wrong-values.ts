import type { Form, Setting } from '@platen/foundation/settings/setting.ts'

/** Values that a setting does not accept: of the wrong type, in the wrong unit, out of range, empty parts, quotes. */
export function wrongValues({ form }: Setting): readonly string[] {
  switch (form.kind) {
    case 'integer': {
      const outside = [`${form.min - 1}`, `${form.max + 1}`]
      return ['x', '1.5', '1e3', '0x10', '10s', '10MiB', '"10"', '１０', ...outside]
    }
    case 'flag':
      return ['yes', '1', 'TRUE', '"true"', 'on']
    case 'choice':
      return ['all', '3', 'true', ...form.allowed.flatMap((value) => [value.toUpperCase(), `"${value}"`])]
    case 'text':
      return form.form?.wrong ?? (form.secret ? [] : ['"a"', "'a'"])
  }
}

export function rightValues({ form }: Setting): readonly string[] {
  switch (form.kind) {
    case 'integer':
      return [`${form.min}`, `${form.max}`]
    case 'flag':
      return ['true', 'false']
    case 'choice':
      return form.allowed
    case 'text':
      return form.form?.right ?? (form.secret ? ['"a"'] : ['a'])
  }
}

/** The problem with a value begins like this. */
export const refusal = (form: Form) =>
  form.kind === 'text' && form.form === undefined ? 'must be given without quotes' : 'must be '
