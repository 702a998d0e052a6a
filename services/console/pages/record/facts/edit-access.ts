import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { useRecordRights, useRights } from '../../../api/rights.ts';
import { useUnreadRecords } from '../../../api/write.ts';
import { enteredFields, fieldsEnteredWith } from '../../../fields/entered-fields.ts';
import { useText } from '../../../language/language.tsx';

/** Whether a page offers to edit a record. */
export interface EditAccess {
  /** False if the user may not edit any record of the type. */
  readonly isOffered: boolean;
  /** Why the record cannot be edited; undefined if it can. */
  readonly denial: string | undefined;
}

const noEditAccess: EditAccess = { isOffered: false, denial: undefined };

/** Returns whether the user can edit a record now. */
export function useEditAccess(entity: Entity, record: AnyRecord): EditAccess {
  const t = useText();
  const { level, isGranted } = useRecordRights(entity, record).edit;
  const unread = useUnreadRecords();
  if (level === 'no' || record['deleted'] === true) return noEditAccess;
  if (!isGranted) {
    const denial = t(level === 'own' ? 'record.editOwn' : 'record.editTeam');
    return { isOffered: true, denial };
  }
  const isUnread = unread.some((one) => one.entity === entity.name && one.id === record.id);
  return { isOffered: true, denial: isUnread ? t('record.editUnread') : undefined };
}

/** Returns the fields to edit together with a field; empty if the user may not set it. */
export function useInputsOf(entity: Entity, name: string): readonly string[] {
  return enteredFields(entity, fieldsEnteredWith(entity, name), useRights(entity.name));
}
