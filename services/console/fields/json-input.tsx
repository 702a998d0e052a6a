import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../language/language.tsx';
import { common, type InputProps } from './input-parts.ts';

/** Keeps the typed text unchanged, and passes on its value whenever it is valid JSON. */
export function JsonInput(props: InputProps) {
  const t = useText();
  const value = props.values[props.name];
  const [text, setText] = useState(() =>
    value === null || value === undefined ? '' : JSON.stringify(value, null, 2),
  );
  const [isWrong, setWrong] = useState(false);
  return (
    <Textarea
      {...common(props)}
      error={isWrong ? t('record.badJson') : props.error}
      autosize
      minRows={3}
      maxRows={14}
      ff="monospace"
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        try {
          const parsed = currentTarget.value.trim() === '' ? null : JSON.parse(currentTarget.value);
          setWrong(false);
          props.onChange({ [props.name]: parsed });
        } catch {
          setWrong(true);
        }
      }}
    />
  );
}
