import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { usePageText } from '../../language/page-text.ts';
import { Copy } from '../../parts/copy/copy.tsx';

/** Shows new recovery codes. They cannot be retrieved later. */
export function RecoveryCodes(props: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  const t = usePageText();
  const text = props.codes.join('\n');
  return (
    <Stack>
      <Alert color="yellow" role="status" title={t('profile.codes')}>
        <Text size="sm">{t('profile.codesText')}</Text>
      </Alert>
      <Code block>{text}</Code>
      <Group justify="flex-end">
        <Copy value={text} label={t('profile.codes')} />
        <Button
          component="a"
          variant="default"
          download="annals-recovery-codes.txt"
          href={`data:text/plain,${encodeURIComponent(`${text}\n`)}`}
        >
          {t('profile.download')}
        </Button>
        <Button onClick={props.onClose}>{t('profile.codesStored')}</Button>
      </Group>
    </Stack>
  );
}
