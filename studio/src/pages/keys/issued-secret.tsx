import { useEffect } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { Notice } from '../../parts/states.tsx'

interface IssuedSecretProps {
  title: string
  secret: string
  onClose(): void
}

/** Shows the secret of a key once. Its button closes it; whatever else would close it asks first. */
export function IssuedSecret({ title, secret, onClose }: IssuedSecretProps) {
  useEffect(() => {
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  const close = async () => {
    const isStored = await confirm({
      title: 'Did you store the secret?',
      body: 'It cannot be shown again. Without it, the key has to be rotated.',
      action: 'I have stored it',
    })
    if (isStored) onClose()
  }
  return (
    <Dialog title={title} keepsOpen onClose={() => void close()}>
      <DialogBody>
        <CodeBlock text={secret} label="API key" wrap />
        <Notice tone="warn">Store it now. Platen keeps only its hash, and cannot show it again.</Notice>
      </DialogBody>
      <DialogActions>
        <Button tone="primary" onClick={onClose}>
          I have stored it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
