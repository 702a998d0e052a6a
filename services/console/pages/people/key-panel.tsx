import { Alert, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { generateKeys, type Keys } from '../../api/people.ts';
import type { AnyRecord } from '../../api/records.ts';
import { keyUsesQuery } from '../../api/system.ts';
import { usePageText } from '../../language/page-text.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { Copy } from '../../parts/copy/copy.tsx';
import { Ago } from '../../parts/time.tsx';

/** The credentials of an API user. Keys are shown only when they are generated. */
export function KeyPanel(props: {
  readonly user: AnyRecord;
  readonly keys: Keys | undefined;
  readonly onKeys: (keys: Keys) => void;
}) {
  const t = usePageText();
  const { user, keys, onKeys } = props;
  const name = String(user['userName']);
  const isHmac = user['authMethod'] === 'Hmac';
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="xs" align="flex-start">
        <Title>{t(isHmac ? 'people.keyAndSecret' : 'people.key')}</Title>
        {keys === undefined ? (
          <Text size="sm">{t(isHmac ? 'people.hmacText' : 'people.keyText')}</Text>
        ) : (
          <NewKeys keys={keys} />
        )}
        <LastUse userId={user.id} />
        <ConfirmByName
          label={t('people.rotate')}
          title={t('people.rotateTitle', { name })}
          text={t('people.rotateText')}
          name={name}
          act={async () => onKeys(await generateKeys(user.id))}
          onDone={() => {}}
        />
      </Stack>
    </Paper>
  );
}

/** Shows nothing if loading fails, because the rest of the panel is still useful. */
function LastUse({ userId }: { readonly userId: string }) {
  const t = usePageText();
  const { data } = useQuery(keyUsesQuery);
  if (data === undefined) return null;
  const usedAt = data.get(userId) ?? null;
  return (
    <Text size="sm" component="div">
      {usedAt === null ? (
        t('people.keyNeverUsed')
      ) : (
        <>
          {t('people.keyUsed')}: <Ago value={usedAt} />
        </>
      )}
    </Text>
  );
}

/** Shows new keys. They cannot be retrieved later. */
export function NewKeys({ keys }: { readonly keys: Keys }) {
  const t = usePageText();
  return (
    <Alert color="yellow" title={t('people.copyNow')} role="status" w="100%">
      <Stack gap="xs">
        <Text size="sm">{t('people.copyNowText')}</Text>
        <Key label={t('people.key')} value={keys.apiKey} />
        {keys.secretKey === undefined ? null : (
          <Key label={t('people.secret')} value={keys.secretKey} />
        )}
      </Stack>
    </Alert>
  );
}

function Key({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Group gap="xs">
      <Text size="sm">{label}</Text>
      <Code className="field-value">{value}</Code>
      <Copy value={value} size="compact-xs" label={label} />
    </Group>
  );
}
