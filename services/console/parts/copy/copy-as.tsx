import { Stack, Text } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { mayReadApiDescription } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { DialogButton } from '../dialog.tsx';
import { Snippet } from './snippet.tsx';

const languages: Readonly<Record<RequestLanguage, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
};

/** Shows the API request behind the current page, for use in a program. Hidden from users who are not developers. */
export function CopyAs({ path }: { readonly path: string }) {
  const t = useText();
  if (!mayReadApiDescription(useUser())) return null;
  return (
    <DialogButton
      label={t('copyAs.title')}
      title={t('copyAs.title')}
      dialogSize="lg"
      className="icon-button"
      tooltip={t('copyAs.title')}
      leftSection={<IconCode size={16} aria-hidden="true" />}
    >
      {() => <RequestSnippet path={path} />}
    </DialogButton>
  );
}

/** The content of the dialog: the request as a program, in the language of the user's choice. */
export function RequestSnippet({ path }: { readonly path: string }) {
  const t = useText();
  return (
    <Stack>
      <Text size="sm">{t('copyAs.text')}</Text>
      <Snippet
        label={t('copyAs.language')}
        languages={languages}
        write={(language) => toProgram(`${location.origin}/api/v1${path}`, language)}
      />
    </Stack>
  );
}

type RequestLanguage = 'curl' | 'javascript' | 'python';

/** Returns source code that requests this URL with an API key. */
function toProgram(url: string, language: RequestLanguage): string {
  switch (language) {
    case 'curl':
      // Inside single quotes, only the single quote is special to a shell.
      return `curl -H 'X-Api-Key: YOUR_KEY' '${url.replaceAll("'", '%27')}'`;
    case 'javascript':
      return [
        `const response = await fetch(${JSON.stringify(url)}, {`,
        `  headers: { 'X-Api-Key': 'YOUR_KEY' },`,
        '});',
        'console.log(await response.json());',
      ].join('\n');
    case 'python':
      return [
        'import json, urllib.request',
        '',
        `request = urllib.request.Request(${JSON.stringify(url)}, headers={"X-Api-Key": "YOUR_KEY"})`,
        'print(json.load(urllib.request.urlopen(request)))',
      ].join('\n');
  }
}
