interface TabTextProps {
  text: string
  /** What is to be seen in the tab, read aloud: `changed`. */
  mark?: string | false
  /** The colour of the dot. */
  tone?: 'warn' | 'bad'
}

/** The text of a tab, with a dot if there is something in it to look at. */
export function TabText({ text, mark = false, tone = 'warn' }: TabTextProps) {
  if (mark === false) return <>{text}</>
  return (
    <>
      {text}
      <span class={`tab-dot ${tone}`} aria-hidden="true" />
      <span class="visually-hidden">, {mark}</span>
    </>
  )
}
