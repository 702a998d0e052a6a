import { Button, type ButtonProps, CopyButton } from '@mantine/core';
import { useText } from '../language/language.tsx';

/** Copies a text, and says so. */
export function Copy({ value, size }: { readonly value: string } & Pick<ButtonProps, 'size'>) {
  const t = useText();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button {...(size === undefined ? {} : { size })} variant="default" onClick={copy}>
          {t(copied ? 'shell.copied' : 'shell.copy')}
        </Button>
      )}
    </CopyButton>
  );
}
