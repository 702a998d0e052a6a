import { List, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { exportRecords } from '../../api/mass-actions.ts';
import type { Entity } from '../../api/metadata.ts';
import { usePreference } from '../../api/preferences.ts';
import type { ListSearch } from '../../api/records.ts';
import { fileAddress } from '../../fields/record-link.tsx';
import { useLanguage, useText } from '../../language/language.tsx';
import { useTimeZone } from '../../language/time-settings.ts';
import { DialogActions } from '../../parts/dialog.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { allResults, chosenOf, countOf, type Selection } from './many/selection.ts';

export interface ExportProps {
  readonly entity: Entity;
  readonly columns: readonly string[];
  readonly search: ListSearch;
  readonly selection: Selection;
  readonly total: number;
}

/** Exports the list with its columns, sort order and filters. */
export function ExportForm(props: ExportProps & { readonly onClose: () => void }) {
  const t = useText();
  const { entity, columns, search, selection, total } = props;
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  const [stored, setFormat] = usePreference('annals-export-format', () => {});
  const format = stored === 'xlsx' ? 'xlsx' : 'csv';
  // Without a selection, the whole list is exported.
  const isWhole = countOf(selection, total) === 0;
  const exported = isWhole ? allResults : selection;
  const exporting = useMutation({
    mutationFn: async () =>
      exportRecords(search, chosenOf(exported, search), { format, timeZone, language }),
    onSuccess: (id) => {
      download(fileAddress(id));
      props.onClose();
    },
  });
  return (
    <Stack>
      <Text size="sm">
        {t(isWhole ? 'exports.text' : 'exports.textSelected', {
          count: countOf(exported, total),
        })}
      </Text>
      <List size="sm" aria-label={t('records.columns')}>
        {columns.map((name) => (
          <List.Item key={name}>{entity.labelOf(name)}</List.Item>
        ))}
      </List>
      <Radio.Group label={t('exports.format')} value={format} onChange={setFormat}>
        <Stack gap="xs" mt="xs">
          <Radio value="csv" label="CSV" description={t('exports.csvText')} />
          <Radio value="xlsx" label="Excel (XLSX)" description={t('exports.xlsxText')} />
        </Stack>
      </Radio.Group>
      {isWhole ? null : (
        <Text size="sm" c="dimmed">
          {t('exports.selectedOnly')}
        </Text>
      )}
      <ErrorAlert error={exporting.error} />
      <DialogActions
        label={t('exports.download')}
        isPending={exporting.isPending}
        onAct={() => exporting.mutate()}
        onCancel={props.onClose}
      />
    </Stack>
  );
}

function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
