import { Textarea } from '@mantine/core';

/** The input for the text of a post. */
export function PostText(props: {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  return (
    <Textarea
      label={props.label}
      autosize
      minRows={2}
      maxRows={12}
      value={props.text}
      onChange={({ currentTarget }) => props.onText(currentTarget.value)}
    />
  );
}
