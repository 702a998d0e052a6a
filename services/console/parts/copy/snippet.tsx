import { Code, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Copy } from './copy.tsx';

interface SnippetProps<Language extends string> {
  /** Of the choice of languages. */
  readonly label: string;
  /** Their names. The first one is shown first. */
  readonly languages: Readonly<Record<Language, string>>;
  readonly write: (language: Language) => string;
}

/** The same program in several languages, to be copied. */
export function Snippet<Language extends string>(props: SnippetProps<Language>) {
  const choices = Object.keys(props.languages) as Language[];
  const [language = choices[0], choose] = useState<Language>();
  const program = language === undefined ? '' : props.write(language);
  return (
    <>
      <Group align="flex-end">
        <NativeSelect
          label={props.label}
          value={language}
          onChange={({ currentTarget }) => choose(currentTarget.value as Language)}
          data={choices.map((value) => ({ value, label: props.languages[value] }))}
        />
        <Copy value={program} />
      </Group>
      <Code block>{program}</Code>
    </>
  );
}
