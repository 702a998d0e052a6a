import { Alert, Button, FileButton, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMetadata } from '../../api/metadata.ts';
import { useRightsOf } from '../../api/rights.ts';
import { usePageText } from '../../language/page-text.ts';
import { DropZone } from '../../parts/drop-zone.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { ImportForm } from './import-form.tsx';
import { readSample, type Sample } from './read-sample.ts';
import { asCsvFile } from './sheet/as-csv-file.ts';
import { InvalidSheet } from './sheet/invalid-sheet.ts';

interface ChosenFile {
  readonly file: File;
  readonly sample: Sample;
}

/** Imports records from a CSV file or a spreadsheet. */
export function ImportPage() {
  const t = usePageText();
  const mayCreate = useRightsOf();
  const types = [...useMetadata().values()].filter(
    ({ name, scope }) => scope.object && scope.tab && mayCreate(name).may('create'),
  );
  const [name, setName] = useState(types[0]?.name ?? '');
  const [chosen, setChosen] = useState<ChosenFile>();
  const entity = types.find((type) => type.name === name);
  const choosing = useMutation({
    mutationFn: async (chosenFile: File) => {
      const file = await asCsvFile(chosenFile);
      return { file, sample: await readSample(file) };
    },
    onSuccess: setChosen,
  });
  const choose = (file: File | null | undefined): void => {
    if (file) choosing.mutate(file);
  };
  return (
    <DropZone onFiles={(files) => choose(files[0])}>
      <Stack p="md">
        <PageTitle>{t('titles.import')}</PageTitle>
        <Text size="sm">{t('import.text')}</Text>
        <Group align="end">
          <NativeSelect
            label={t('import.type')}
            data={types.map((type) => ({ value: type.name, label: type.labelPlural }))}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Group
            className={chosen === undefined ? 'drop-box' : ''}
            {...(chosen === undefined && { w: '100%', justify: 'center' })}
          >
            <FileButton accept=".csv,.txt,.tsv,.xlsx,.xlsm,text/csv" onChange={choose}>
              {(props) => (
                <Button
                  {...props}
                  variant={chosen === undefined ? 'filled' : 'default'}
                  loading={choosing.isPending}
                  leftSection={<IconFileUpload size={16} aria-hidden="true" />}
                >
                  {t('import.choose')}
                </Button>
              )}
            </FileButton>
            <Text size="sm">
              {chosen === undefined
                ? t('import.dropHere')
                : t('import.file', { name: chosen.file.name })}
            </Text>
          </Group>
        </Group>
        <FileError error={choosing.error} />
        {chosen === undefined || entity === undefined ? null : (
          <ImportForm
            key={`${entity.name} ${chosen.file.name} ${chosen.file.lastModified}`}
            entity={entity}
            onAnother={() => setChosen(undefined)}
            {...chosen}
          />
        )}
      </Stack>
    </DropZone>
  );
}

const problems = {
  empty: 'import.emptySheet',
  notSheet: 'import.notSheet',
  tooLarge: 'import.largeSheet',
} as const;

/** Shows why a file cannot be read. */
function FileError({ error }: { readonly error: unknown }) {
  const t = usePageText();
  if (!(error instanceof InvalidSheet)) return <ErrorAlert error={error} />;
  return (
    <Alert color="red" role="alert">
      {t(problems[error.problem])}
    </Alert>
  );
}
