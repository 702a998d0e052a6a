import { Button, CopyButton } from '@mantine/core';
import { useText } from '../../language/language.tsx';

interface Props {
  readonly size?: 'compact-xs' | 'xs';
  readonly value: string;
  /** Distinguishes several copy buttons on one page for screen readers. */
  readonly label?: string;
}

/** A button that copies a text, and confirms that it was copied. */
export function Copy({ value, size, label }: Props) {
  const t = useText();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const text = t(copied ? 'parts.copied' : 'parts.copy');
        return (
          <Button
            {...(size === undefined ? {} : { size })}
            {...(label === undefined ? {} : { 'aria-label': `${text}: ${label}` })}
            variant="default"
            onClick={copy}
          >
            {text}
          </Button>
        );
      }}
    </CopyButton>
  );
}
