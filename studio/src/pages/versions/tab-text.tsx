interface TabTextProps {
  text: string
  isChanged: boolean
}

/** The text of a tab, with a dot if there is something that differs. */
export function TabText({ text, isChanged }: TabTextProps) {
  if (!isChanged) return <>{text}</>
  return (
    <>
      {text}
      <span class="versions-dot" aria-hidden="true" />
      <span class="visually-hidden">, changed</span>
    </>
  )
}
