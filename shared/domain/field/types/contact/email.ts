import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { type ContactGroup, nameGroupAttributes } from './derive-group.ts';
import {
  compileGroup,
  entrySchema,
  type GroupSettings,
  groupDerivations,
  groupParts,
  USUAL_MAX_COUNT,
} from './group-parts.ts';
import { readEmailAddress, readEmailEntries, toEmailEntry } from './read-email-group.ts';

/** E-mail addresses, one of them primary. */
export const emailType: FieldType<FieldBase<'email', string> & GroupSettings> = {
  name: 'email',
  isCreatable: true,
  isIdentifying: true,
  search: 'beginning',
  parts: () => groupParts('ann@example.com'),
  compileReader: (rule, definition) =>
    compileGroup(rule, definition, groupOf(rule.field, definition), {
      maxLength: 255,
      readAddress: readEmailAddress,
      readEntries: readEmailEntries,
    }),
  group: groupOf,
  derive: (field, definition) => groupDerivations(groupOf(field, definition)),
  entrySchema: entrySchema('emailEntry', 'emailAddress', {
    emailAddress: { type: 'string', maxLength: 255, examples: ['ann@example.com'] },
    lower: { type: 'string', readOnly: true },
  }),
};

function groupOf(field: string, { maxCount = USUAL_MAX_COUNT }: GroupSettings): ContactGroup {
  return {
    ...nameGroupAttributes(field),
    addressKey: 'emailAddress',
    comparedBy: 'lower',
    maxCount,
    toEntry: toEmailEntry,
  };
}
