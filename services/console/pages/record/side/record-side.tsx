import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
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

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
  /** Undefined for a past version. */
  readonly edited: EditedRecord | undefined;
}

/** The column next to the tabs: what happens to the record if there is a stream, or else the record's owners. */
export function RecordSide({
  stream,
  ...props
}: Props & {
  /** Undefined if the stream is not next to the tabs. */
  readonly stream: ReactNode | undefined;
}) {
  const t = useText();
  return (
    <Stack component="section" aria-label={t('record.side')}>
      <Activities {...props} />
      {stream === undefined ? (
        <Ownership {...props} columns={1} />
      ) : (
        <section>
          <Title mb="sm">{t('record.tabStream')}</Title>
          {stream}
        </section>
      )}
    </Stack>
  );
}

/** The results of a conversion, and the planned activities. A past version of the record has no activities. */
function Activities({ entity, record, edited }: Props) {
  const metadata = useMetadata();
  const session = useUser();
  const isPresent = edited !== undefined && record['deleted'] !== true;
  return (
    <>
      <ConvertedRecords entity={entity} record={record} />
      {isPresent && hasActivities(metadata, entity, session) ? (
        <NextActivities entity={entity} record={record} />
      ) : null}
    </>
  );
}

/** The owners, authors and followers of a record. A past version of the record has no followers. */
export function Ownership({ columns, ...props }: Props & { readonly columns: 1 | 2 }) {
  const { entity, record, edited } = props;
  const { stream } = useRecordRights(entity, record);
  const isPresent = edited !== undefined && record['deleted'] !== true;
  return (
    <>
      <SideFields {...props} columns={columns} />
      {isPresent && entity.scope.stream && stream.isGranted ? (
        <Followers entity={entity.name} id={record.id} />
      ) : null}
    </>
  );
}
