import { List, Text } from '@mantine/core';
import { type Entity, useTypeLabel } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { RecordLink } from '../../../fields/record-link.tsx';
import { useText } from '../../../language/language.tsx';
import { Panel } from '../../../parts/page/panel.tsx';

/** The records to which a record was converted. */
export function ConvertedRecords({
  entity,
  record,
}: {
  readonly entity: Entity;
  readonly record: AnyRecord;
}) {
  const t = useText();
  const typeLabel = useTypeLabel();
  const created = (entity.convertEntityList ?? []).flatMap((target) => {
    const { [`created${target}Id`]: id, [`created${target}Name`]: name } = record;
    return typeof id === 'string' ? [{ target, id, name }] : [];
  });
  if (created.length === 0) return null;
  return (
    <Panel title={t('record.convertedTo')}>
      <List listStyleType="none" spacing="sm" size="sm">
        {created.map(({ target, id, name }) => (
          <List.Item key={target}>
            <RecordLink entity={target} id={id} name={name} />
            <Text size="xs" c="dimmed">
              {typeLabel(target)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}
