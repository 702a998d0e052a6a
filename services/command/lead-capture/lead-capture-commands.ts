import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { FieldProblem } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { type AttributeValues, isObject } from '../../../shared/domain/value/attribute-values.ts';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import { administratorsOnly, type DirectoryRules } from '../directory/directory-handlers.ts';
import { sealedKey } from '../directory/user-rules.ts';
import { defineChange } from '../owner/define-command.ts';
import { asObject } from '../owner/read-body.ts';
import { isCapturable } from './read-captured-values.ts';

/** Replaces the key of a capture. The sender checks the permissions. */
export const renewCaptureKeyCommand = defineChange({
  name: 'renew-capture-key',
  readBody: asObject<Record<never, never>>({}),
  decide: (state, { id }, { context }) =>
    decideUpdate(live(state, id), sealedKey(context.secrets, generateKey())),
});

/** Rules for captures: administrators manage them. The key is generated here; clients never send it. */
export const captureRules: DirectoryRules = {
  ...administratorsOnly,
  derive: async ({ current }, { secrets }) =>
    current?.values['apiKeyHash'] == null ? sealedKey(secrets, generateKey()) : {},
  check: (values, { directory }) => checkFields(values, directory.entity),
};

function checkFields(
  { fieldList, fieldParams }: AttributeValues,
  findModel: FindModel,
): readonly FieldProblem[] {
  const lead = findModel('Lead');
  const unknown = (Array.isArray(fieldList) ? fieldList : [])
    .map(String)
    .filter((name) => lead === undefined || !isCapturable(lead, name))
    .map(
      (name): FieldProblem => ({
        field: 'fieldList',
        type: 'valid',
        message: `fieldList: '${printable(name)}' is not a field of leads that a form can set.`,
      }),
    );
  const isMap = Object.values(fieldParams ?? {}).every(isObject);
  const message = 'fieldParams must contain an object for each field.';
  return isMap ? unknown : [...unknown, { field: 'fieldParams', type: 'valid', message }];
}
