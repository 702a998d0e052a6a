import { Stack } from '@mantine/core';
import { hasActivities } from '../../../api/activities.ts';
import { type Entity, useMetadata } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { useRecordRights } from '../../../api/rights.ts';
import { useUser } from '../../../api/session.ts';
import { useText } from '../../../language/language.tsx';
import type { EditedRecord } from '../facts/fact.tsx';
import { SideFields } from '../facts/record-fields.tsx';
import { ConvertedRecords } from './converted-records.tsx';
import { Followers } from './followers.tsx';
import { NextActivities } from './next-activities.tsx';

/**
 * The column next to a record: its owners, planned activities and followers. A past version of the record has neither
 * activities nor followers.
 */
export function RecordSide(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  /** Undefined for a past version. */
  readonly edited: EditedRecord | undefined;
}) {
  const t = useText();
  const { entity, record, edited } = props;
  const metadata = useMetadata();
  const session = useUser();
  const { stream } = useRecordRights(entity, record);
  const isPresent = edited !== undefined && record['deleted'] !== true;
  return (
    <Stack component="section" aria-label={t('record.side')}>
      <ConvertedRecords entity={entity} record={record} />
      {isPresent && hasActivities(metadata, entity, session) ? (
        <NextActivities entity={entity.name} id={record.id} />
      ) : null}
      <SideFields entity={entity} record={record} edited={edited} />
      {isPresent && entity.scope.stream && stream.isGranted ? (
        <Followers entity={entity.name} id={record.id} />
      ) : null}
    </Stack>
  );
}
