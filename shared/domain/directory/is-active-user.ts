import type { RecordState } from '../record/record-state.ts';

export function isActiveUser({ deleted, values }: RecordState): boolean {
  return !deleted && values['isActive'] === true;
}
