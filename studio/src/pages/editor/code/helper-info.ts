import type { Helper } from '../model/library.ts'

/** The documentation of a helper, beside the list of completions. */
export function helperInfo({ signature, description, examples }: Helper): HTMLElement {
  const info = document.createElement('div')
  info.append(element('code', signature), element('p', description))
  for (const { template, result } of examples.slice(0, 2)) {
    const line = document.createElement('p')
    line.append(element('code', template), ' → ', element('code', result))
    info.append(line)
  }
  return info
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}
