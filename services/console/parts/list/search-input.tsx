import { CloseButton, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../language/language.tsx';

const waitMs = 300;
const withKeyboard = '(hover: hover) and (min-width: 48.0625em)';
const usualWidth = { base: '100%', xs: 320 };

/** The search input of a list. The key `/` focuses it, and a button clears it. */
export function SearchInput(props: {
  readonly label: string;
  readonly value: string;
  readonly width?: '100%';
  /** Shows the label above the input, as that of other inputs in the same row. */
  readonly isLabelled?: boolean;
  readonly onChange: (value: string) => void;
}) {
  const t = useText();
  const { label, value, width = usualWidth, isLabelled = false } = props;
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const hasKeyboard = useMediaQuery(withKeyboard, true, { getInitialValueInEffect: false });
  const send = useDebouncedCallback(props.onChange, waitMs);
  // The Back button and links change the value from outside.
  useEffect(() => setText(value), [value]);
  const clear = (): void => {
    setText('');
    send('');
    send.flush();
    input.current?.focus();
  };
  return (
    <TextInput
      ref={input}
      type="search"
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        send(currentTarget.value);
      }}
      {...(isLabelled ? { label } : { placeholder: label, 'aria-label': label })}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={
        text === '' ? (
          hasKeyboard && (
            <Text size="xs" c="dimmed" aria-hidden="true">
              /
            </Text>
          )
        ) : (
          <CloseButton size="sm" aria-label={t('records.clearSearch')} onClick={clear} />
        )
      }
      w={width}
    />
  );
}
