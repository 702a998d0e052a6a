import { Radio, Stack, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { linkCountQuery, linksQuery } from '../../../api/links.ts';
import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { Time } from '../../../parts/time.tsx';

/** The head of a record's column: selects the record to keep, and shows how it differs from the others. */
export function MergeHead(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly isTarget: boolean;
  /** Every link costs a request, so links are not counted if many records are merged. */
  readonly withLinks: boolean;
  readonly onChoose: () => void;
}) {
  const t = useText();
  const { entity, record, isTarget, withLinks, onChoose } = props;
  const { createdAt, emailAddress } = record;
  return (
    <Stack gap={4}>
      <Radio
        size="xs"
        name="merge-target"
        label={String(record['name'] ?? record.id)}
        description={t(isTarget ? 'many.mergeStays' : 'many.mergeGoes')}
        checked={isTarget}
        onChange={onChoose}
      />
      <Text size="xs" fw={400} component="div" className="field-value">
        {typeof createdAt === 'string' ? (
          <div>
            {t('many.mergeCreated')} <Time value={createdAt} />
          </div>
        ) : null}
        {typeof emailAddress === 'string' ? <div>{emailAddress}</div> : null}
        {withLinks ? <LinkCount entity={entity} id={record.id} /> : null}
      </Text>
    </Stack>
  );
}

/** The number of records that are linked to a record, and the number for each link as a tooltip. */
function LinkCount({ entity, id }: { readonly entity: Entity; readonly id: string }) {
  const t = useText();
  const { data: listed = [] } = useQuery(linksQuery(entity.name));
  // Another link includes all records of such a link, which would be counted twice.
  const links = listed.filter((link) => entity.links[link]?.layoutRelationshipsDisabled !== true);
  const counted = useQueries({
    queries: links.map((link) => linkCountQuery({ entity: entity.name, id, link })),
  });
  if (counted.length === 0 || counted.some(({ data }) => data === undefined)) return null;
  const counts = counted.map(({ data = 0 }) => data);
  const parts = links.flatMap((link, index) =>
    counts[index] ? [`${entity.labelOf(link)}: ${counts[index]}`] : [],
  );
  const count = counts.reduce((sum, one) => sum + one, 0);
  return <div title={parts.join('\n')}>{t('many.mergeLinks', { count })}</div>;
}
