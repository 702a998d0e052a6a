import { NativeSelect, Stack } from '@mantine/core';
import type { History } from '../../../api/history.ts';
import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { differences, valuesAt } from './versions.ts';

/** The differences between the selected version of a record and any other. */
export function TimeTab(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly history: History;
  /** The selected version. */
  readonly version: number;
  /** The version to compare with; undefined for the preceding one, 0 for the state before creation. */
  readonly compared: number | undefined;
  readonly onCompare: (compared: number) => void;
}) {
  const t = useText();
  const { entity, record, history, version } = props;
  const { versions, total } = history;
  const compared = Math.min(props.compared ?? version - 1, versions.at(-1)?.version ?? 1);
  const before = valuesAt(versions, compared);
  const after = valuesAt(versions, version);
  return (
    <Stack>
      <NativeSelect
        label={t('time.compare')}
        maw={360}
        value={`${compared}`}
        onChange={({ currentTarget }) => props.onCompare(Number(currentTarget.value))}
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
        isLast={version === total}
        before={before}
        after={after}
        rows={differences(entity, before, after)}
      />
    </Stack>
  );
}
