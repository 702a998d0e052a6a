import { Box, NativeSelect, Paper, Slider, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type History, historyQuery, type Version } from '../../../api/history.ts';
import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { Ago } from '../../../parts/time.tsx';
import { RecordFields } from '../record-fields.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { differences, valuesAt } from './versions.ts';

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
  /** The selected version; undefined for the latest. */
  readonly version: number | undefined;
  /** The version to compare with; undefined for the preceding one, 0 for the state before creation. */
  readonly compared: number | undefined;
  readonly onChange: (chosen: { version?: number; compared?: number | undefined }) => void;
}

/** The history of a record: any version, and the differences between any two. */
export function TimeTab(props: Props) {
  const history = useQuery(historyQuery(props.entity.name, props.record.id));
  if (history.data === undefined) return <Pending query={history} height={240} />;
  return <TimeLine {...props} history={history.data} />;
}

function TimeLine({ history, ...props }: Props & { readonly history: History }) {
  const t = useText();
  const { entity, record, onChange } = props;
  const { versions, total } = history;
  const last = versions.at(-1)?.version ?? 1;
  const version = Math.min(props.version ?? last, last);
  const compared = Math.min(props.compared ?? version - 1, last);
  const values = valuesAt(versions, version);
  const before = valuesAt(versions, compared);
  const current = versions.find((one) => one.version === version);
  return (
    <Stack>
      {total > versions.length ? <Text size="sm">{t('time.cut', { count: total })}</Text> : null}
      <Paper withBorder p="md">
        <VersionSlider
          last={last}
          version={version}
          onChange={(chosen) => onChange({ version: chosen, compared: undefined })}
        />
        <VersionLine version={current} last={last} />
      </Paper>
      <NativeSelect
        label={t('time.compare')}
        maw={360}
        value={`${compared}`}
        onChange={({ currentTarget }) => onChange({ compared: Number(currentTarget.value) })}
        data={[
          { value: '0', label: t('time.nothing') },
          ...versions.map((one) => ({
            value: `${one.version}`,
            label: t('time.version', { number: `${one.version}` }),
          })),
        ]}
      />
      <DifferenceTable
        entity={entity}
        record={record}
        from={compared}
        to={version}
        isLast={version === last}
        before={before}
        after={values}
        rows={differences(entity, before, values)}
      />
      <Title order={2} size="h4">
        {t('time.wasIn', { number: `${version}` })}
      </Title>
      <RecordFields entity={entity} record={{ ...values, id: record.id }} />
    </Stack>
  );
}

function VersionSlider(props: {
  readonly last: number;
  readonly version: number;
  readonly onChange: (version: number) => void;
}) {
  const t = useText();
  return (
    <Box px="xs" pb="sm">
      <Text size="sm" c="dimmed" mb="xs">
        {t('time.lineHint')}
      </Text>
      <Slider
        min={1}
        max={Math.max(props.last, 2)}
        disabled={props.last < 2}
        value={props.version}
        onChange={(value) => props.onChange(Math.min(value, props.last))}
        thumbLabel={t('time.line')}
        label={(value) => t('time.version', { number: `${value}` })}
        marks={props.last > 40 ? [] : marksUpTo(props.last)}
      />
    </Box>
  );
}

function marksUpTo(last: number) {
  return Array.from({ length: last }, (_, index) => ({ value: index + 1 }));
}

const changeTexts = {
  created: 'time.created',
  updated: 'time.updated',
  deleted: 'time.deleted',
  restored: 'time.restored',
} as const;

/** The action, time and author of a version. */
function VersionLine(props: { readonly version: Version | undefined; readonly last: number }) {
  const t = useText();
  const { version, last } = props;
  if (version === undefined) return null;
  return (
    <Text size="sm" role="status">
      <b>{t('time.versionOf', { number: `${version.version}`, total: `${last}` })}</b>
      {': '}
      {t(changeTexts[version.type])} <Ago value={version.at} />{' '}
      {t('time.by', { name: version.byName ?? version.byId ?? t('time.someone') })}
      {version.administratorId !== undefined &&
        ` (${t('time.administrator', { name: version.administratorName ?? version.administratorId })})`}
    </Text>
  );
}
