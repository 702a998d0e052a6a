import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileInt } from '../number/number-settings.ts';
import { deriveDuration } from './derive-duration.ts';

/** The number of seconds between two fields. */
export interface DurationField extends FieldBase<'duration', never> {
  /** The options and the default that clients show, in seconds. */
  readonly offered?: { readonly options: readonly number[]; readonly default: number };
  /** The fields between which it is measured. */
  readonly start?: string;
  readonly end?: string;
}

export const durationType: FieldType<DurationField> = {
  name: 'duration',
  parts: () => [{ kind: 'int' }],
  compileReader: (rule) => compileInt(rule, { min: 0 }),
  sources: ({ start, end }) => [start, end],
  describe: ({ offered }) => offered ?? {},
  deriveFromOthers(field, { start, end }, attributes) {
    if (start === undefined || end === undefined) return undefined;
    const mayBeDays = [start, end].every((name) => attributes.get(`${name}Date`)?.field === name);
    const names = { duration: field, start, end, mayBeDays };
    return (given, current, derived) => deriveDuration(names, given, { current, derived });
  },
};
