import { Code, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Copy } from './copy.tsx';

interface SnippetProps<Language extends string> {
  /** Label of the language selection. */
  readonly label: string;
  /** Names of the languages. The first one is selected initially. */
  readonly languages: Readonly<Record<Language, string>>;
  readonly write: (language: Language) => string;
}

/** Shows the same program in several programming languages, with a copy button. */
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
