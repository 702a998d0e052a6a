import { Button, Group, NativeSelect, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Entity } from '../../api/metadata.ts';
import { type AppUser, useUser } from '../../api/session.ts';
import { requiredValuesOf } from '../../fields/new-values.ts';
import { usePageText } from '../../language/page-text.ts';
import { useTimeZone } from '../../language/time-settings.ts';
import { DataTable } from '../../parts/list/data-table.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { mapColumns, targetsOf, useColumnMapping } from './import-columns.ts';
import { ImportResult } from './import-result.tsx';
import { type ImportOptions, startImport, uploadImportFile } from './imports.ts';
import type { Sample } from './read-sample.ts';

interface Props {
  readonly entity: Entity;
  readonly file: File;
  readonly sample: Sample;
  readonly onAnother: () => void;
}

type Choices = Pick<
  ImportOptions,
  'action' | 'attributeList' | 'dateFormat' | 'decimalMark' | 'delimiter' | 'duplicates'
> & { readonly matchBy: number };

/** Maps the columns of a file, checks it, and imports it. */
export function ImportForm(props: Props) {
  const t = usePageText();
  const { entity, sample, onAnother } = props;
  const [known, remember] = useColumnMapping(entity.name);
  const [choices, setChoices] = useState<Choices>(() => ({
    attributeList: mapColumns(sample.header, targetsOf(entity), known),
    action: 'create',
    matchBy: 0,
    duplicates: 'skip',
    delimiter: sample.delimiter,
    dateFormat: 'YYYY-MM-DD',
    decimalMark: '.',
  }));
  const change = (some: Partial<Choices>): void => {
    setChoices((before) => ({ ...before, ...some }));
    starting.reset();
  };
  const starting = useStart(props, choices, remember);
  const isMapped = choices.attributeList.some((attribute) => attribute !== null);
  const { data: started } = starting;
  const isImported = started?.dryRun === false;
  return (
    <Stack>
      {isImported ? null : (
        <>
          <Columns entity={entity} sample={sample} choices={choices} onChange={change} />
          <Options sample={sample} choices={choices} onChange={change} />
        </>
      )}
      <ErrorAlert error={starting.error} />
      {started === undefined ? null : (
        <ImportResult key={started.id} entity={entity} id={started.id} />
      )}
      <Group>
        {isImported ? (
          <Button variant="default" onClick={onAnother}>
            {t('import.another')}
          </Button>
        ) : (
          <>
            <Button
              variant={started === undefined ? 'filled' : 'default'}
              disabled={!isMapped}
              loading={starting.isPending}
              onClick={() => starting.mutate(true)}
            >
              {t('import.check')}
            </Button>
            <Button
              variant={started === undefined ? 'default' : 'filled'}
              disabled={!isMapped || starting.isPending}
              onClick={() => starting.mutate(false)}
            >
              {t('import.start')}
            </Button>
          </>
        )}
      </Group>
    </Stack>
  );
}

/** Uploads the file once, and starts a check or the import. */
function useStart(
  { entity, file, sample }: Props,
  { matchBy, ...chosen }: Choices,
  remember: ReturnType<typeof useColumnMapping>[1],
) {
  const session = useUser();
  const timeZone = useTimeZone();
  const [attachmentId, setAttachmentId] = useState<string>();
  return useMutation({
    async mutationFn(dryRun: boolean) {
      const id = attachmentId ?? (await uploadImportFile(file));
      setAttachmentId(id);
      const mapping = sample.header.flatMap((column, index) => {
        const attribute = chosen.attributeList[index];
        return typeof attribute === 'string' ? [[column, attribute] as const] : [];
      });
      remember(Object.fromEntries(mapping));
      const options = {
        ...chosen,
        encoding: sample.encoding,
        entityType: entity.name,
        updateBy: chosen.action === 'create' ? [] : [matchBy],
        timeFormat: 'HH:mm',
        timezone: timeZone,
        defaultValues: assignmentOf(entity, session),
      };
      const started = { attachmentId: id, fileName: file.name, dryRun };
      return { id: await startImport(options, started), dryRun };
    },
  });
}

/** Returns the assigned user and teams that new records need, without times of events, which differ for each row. */
function assignmentOf(entity: Entity, session: AppUser): ImportOptions['defaultValues'] {
  const values = requiredValuesOf(entity, session);
  const given = Object.entries(values).filter(([name]) =>
    /^(?:assignedUser|teams)Ids?$/.test(name),
  );
  return Object.fromEntries(given);
}

interface PartProps {
  readonly sample: Sample;
  readonly choices: Choices;
  readonly onChange: (some: Partial<Choices>) => void;
}

function Columns({ entity, sample, choices, onChange }: PartProps & { readonly entity: Entity }) {
  const t = usePageText();
  const { attributeList } = choices;
  const targets = [{ value: '', label: t('import.skip') }, ...targetsOf(entity)];
  const columns = sample.header.map((name, index) => ({
    index,
    name: name === '' ? t('import.unnamed', { number: `${index + 1}` }) : name,
    examples: sample.rows.flatMap((row) => row[index] || []).join(', '),
  }));
  const choose = (index: number, attribute: string): void =>
    onChange({
      // Each attribute belongs to one column.
      attributeList: attributeList.map((one, at) => {
        if (at === index) return attribute === '' ? null : attribute;
        return one === attribute ? null : one;
      }),
    });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('import.columns')}
      </Title>
      <DataTable
        label={t('import.columns')}
        minWidth={320}
        rows={columns}
        keyOf={({ index }) => `${index}`}
        columns={[
          { label: t('import.column'), show: ({ name }) => name },
          { label: t('import.sample'), show: ({ examples }) => examples.slice(0, 80) },
          {
            label: t('import.target'),
            show: ({ index, name }) => (
              <NativeSelect
                aria-label={t('import.targetOf', { column: name })}
                miw={140}
                data={targets}
                value={attributeList[index] ?? ''}
                onChange={({ currentTarget }) => choose(index, currentTarget.value)}
              />
            ),
          },
        ]}
      />
    </Stack>
  );
}

const dateFormats = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'];

function Options({ sample, choices, onChange }: PartProps) {
  const t = usePageText();
  const { action, attributeList, dateFormat, decimalMark, duplicates, matchBy } = choices;
  const mapped = sample.header.flatMap((label, index) =>
    typeof attributeList[index] === 'string' ? [{ value: `${index}`, label }] : [],
  );
  // The column may have been set not to be imported.
  const chosen = mapped.some(({ value }) => value === `${matchBy}`) ? `${matchBy}` : '';
  return (
    <Group align="end" component="section" aria-label={t('import.options')}>
      <NativeSelect
        label={t('import.existing')}
        value={action}
        data={[
          { value: 'create', label: t('import.create') },
          { value: 'createAndUpdate', label: t('import.createAndUpdate') },
          { value: 'update', label: t('import.update') },
        ]}
        onChange={({ currentTarget }) =>
          onChange({
            action: currentTarget.value as Choices['action'],
            matchBy: Number(chosen || mapped[0]?.value),
          })
        }
      />
      {action === 'create' ? null : (
        <NativeSelect
          label={t('import.matchBy')}
          value={chosen}
          data={mapped}
          onChange={({ currentTarget }) => onChange({ matchBy: Number(currentTarget.value) })}
        />
      )}
      {action === 'update' ? null : (
        <NativeSelect
          label={t('import.duplicates')}
          value={duplicates}
          data={[
            { value: 'skip', label: t('import.duplicatesSkip') },
            { value: 'update', label: t('import.duplicatesUpdate') },
            { value: 'create', label: t('import.duplicatesCreate') },
          ]}
          onChange={({ currentTarget }) =>
            onChange({ duplicates: currentTarget.value as Choices['duplicates'] })
          }
        />
      )}
      <NativeSelect
        label={t('import.dateFormat')}
        value={dateFormat}
        data={dateFormats}
        onChange={({ currentTarget }) => onChange({ dateFormat: currentTarget.value })}
      />
      <NativeSelect
        label={t('import.decimalMark')}
        value={decimalMark}
        data={['.', ',']}
        onChange={({ currentTarget }) => onChange({ decimalMark: currentTarget.value })}
      />
    </Group>
  );
}
