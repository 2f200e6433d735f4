import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { Notice } from '../../parts/states.tsx'

interface IssuedSecretProps {
  title: string
  secret: string
  onClose(): void
}

/** Shows the secret of a key once. Only a button closes it. */
export function IssuedSecret({ title, secret, onClose }: IssuedSecretProps) {
  return (
    <Dialog title={title} keepsOpen onClose={onClose}>
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
