import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { usePageText } from '../../../language/page-text.ts';
import { Hint } from '../../../parts/hint.tsx';

type Headers = Readonly<Record<string, string>>;

interface Row {
  readonly key: number;
  readonly name: string;
  /** Null keeps the stored value, which is never shown. */
  readonly value: string | null;
}

const maxHeaders = 10;

/** Inputs for custom headers. Stored values can be replaced but not read, because they may be credentials. */
export function HeadersInput(props: {
  /** The headers before the first change. */
  readonly initial: Headers;
  readonly error: string | undefined;
  readonly onChange: (headers: Headers) => void;
}) {
  const t = usePageText();
  const { initial, error } = props;
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.keys(initial).map((name, key) => ({ key, name, value: null })),
  );
  const change = (changed: readonly Row[]): void => {
    setRows(changed);
    props.onChange(toHeaders(changed, initial));
  };
  const replace = (row: Row) => change(rows.map((one) => (one.key === row.key ? row : one)));
  const nextKey = Math.max(-1, ...rows.map(({ key }) => key)) + 1;
  return (
    <Fieldset legend={t('webhooks.headers')}>
      <Stack gap="xs">
        <Hint>{t('webhooks.headersText')}</Hint>
        {rows.map((row, index) => (
          <HeaderRow
            key={row.key}
            row={row}
            number={index + 1}
            isRepeated={isRepeated(row, rows)}
            onChange={replace}
            onRemove={() => change(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
        {error === undefined ? null : (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
        <Group>
          <Button
            variant="default"
            size="xs"
            disabled={rows.length >= maxHeaders}
            onClick={() => setRows([...rows, { key: nextKey, name: '', value: '' }])}
          >
            {t('webhooks.addHeader')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function HeaderRow(props: {
  readonly row: Row;
  readonly number: number;
  readonly isRepeated: boolean;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}) {
  const t = usePageText();
  const { row, number, onChange } = props;
  const isStored = row.value === null;
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        flex={1}
        aria-label={t('webhooks.headerName', { number })}
        placeholder="Authorization"
        value={row.name}
        readOnly={isStored}
        error={props.isRepeated ? t('webhooks.headerRepeated') : undefined}
        onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
      />
      {row.value === null ? (
        <Group flex={1} gap="xs" mih={36}>
          <Text size="sm" c="dimmed">
            {t('webhooks.headerSet')}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('webhooks.replaceHeader', { name: row.name })}
            onClick={() => onChange({ ...row, value: '' })}
          >
            {t('webhooks.replace')}
          </Button>
        </Group>
      ) : (
        <TextInput
          flex={1}
          aria-label={t('webhooks.headerValue', { number })}
          autoComplete="off"
          value={row.value}
          onChange={({ currentTarget }) => onChange({ ...row, value: currentTarget.value })}
        />
      )}
      <ActionIcon
        size="lg"
        variant="default"
        aria-label={t('webhooks.removeHeader', { name: row.name || `${number}` })}
        onClick={props.onRemove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}

/** Header names are case-insensitive. */
function isRepeated(row: Row, rows: readonly Row[]): boolean {
  const name = row.name.trim().toLowerCase();
  return (
    name !== '' &&
    rows.some((other) => other.key < row.key && other.name.trim().toLowerCase() === name)
  );
}

/** Rows without a name are left out. */
function toHeaders(rows: readonly Row[], initial: Headers): Headers {
  return Object.fromEntries(
    rows
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value }) => [name.trim(), value ?? initial[name] ?? '']),
  );
}
