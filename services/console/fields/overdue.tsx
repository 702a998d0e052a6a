import type { Entity } from '../api/metadata.ts';
import type { AnyRecord } from '../api/records.ts';
import { OverdueBadge } from '../parts/overdue-badge.tsx';
import { isFinalStatus } from './status-badge.tsx';

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly name: string;
}

/** Marks a day or time by which the record should have been closed. Records without a known status have no mark. */
export function Overdue({ entity, record, name }: Props) {
  if (name !== 'closeDate' && name !== 'dateEnd') return null;
  const status = record[entity.scope.statusField ?? ''];
  if (typeof status !== 'string' || isFinalStatus(status)) return null;
  const { closeDate, dateEnd, dateEndDate } = record;
  const due = name === 'closeDate' ? { dateEndDate: closeDate } : { dateEnd, dateEndDate };
  return <OverdueBadge due={due} />;
}
