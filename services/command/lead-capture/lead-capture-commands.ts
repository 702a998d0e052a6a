import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  leadCaptureDefinition,
  leadCaptureType,
} from '../../../shared/domain/entity/stock/lead-capture.ts';
import {
  type FieldProblem,
  type Refusal,
  validationFailure,
} from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { type AttributeValues, isObject } from '../../../shared/domain/value/attribute-values.ts';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import type { CommandConfig } from '../config.ts';
import { administratorsOnly, type DirectoryRules } from '../directory/directory-handlers.ts';
import { sealedKey } from '../directory/user-rules.ts';
import { defineChange } from '../owner/define-command.ts';
import { asObject, type JsonObject } from '../owner/read-body.ts';
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
  async derive({ body, current }, { config, secrets }) {
    const before = current?.values ?? usual;
    checkOptIn(
      { before: current === undefined ? {} : before, after: { ...before, ...body } },
      config,
    );
    return current?.values['apiKeyHash'] == null ? sealedKey(secrets, generateKey()) : {};
  },
  check: (values, { directory }) => checkFields(values, directory.entity),
};

/** The values of a new capture that a request omits. */
const usual = Object.fromEntries(
  Object.entries(leadCaptureDefinition.fields).map(([name, field]) => [
    name,
    'default' in field ? field.default : null,
  ]),
);

/** Returns true if a form sends an e-mail before its lead is subscribed. */
export function requiresOptIn({ optInConfirmation }: Readonly<Record<string, unknown>>): boolean {
  return optInConfirmation === true;
}

/**
 * Rejects an active capture whose opt-in cannot work. Other changes of such a capture remain possible, because the mail
 * server may have been removed later.
 */
function checkOptIn(
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
  { mail }: Pick<CommandConfig, 'mail'>,
): void {
  const sends = (values: JsonObject) => requiresOptIn(values) && values['isActive'] === true;
  if (!sends(after)) return;
  if (mail === undefined && !sends(before)) {
    throw invalid(
      'optInConfirmation',
      'optInConfirmation needs a mail server: set SMTP_URL, MAIL_FROM and PUBLIC_URL.',
    );
  }
  const { fieldList } = after;
  const hasAddress = Array.isArray(fieldList) && fieldList.includes('emailAddress');
  if (!hasAddress && (!sends(before) || fieldList !== before['fieldList'])) {
    throw invalid('fieldList', 'fieldList must contain emailAddress if optInConfirmation is true.');
  }
}

function invalid(field: string, message: string): Refusal {
  return validationFailure(leadCaptureType, [{ field, type: 'valid', message }]);
}

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
