import {
  isPersonNameFormat,
  type PersonNameFormat,
  personNameFormats,
} from '../../field/types/contact/person-name.ts';
import type { RecordState } from '../../record/record-state.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';
import { internalRecords } from './common-settings.ts';

/** The entity type of the installation settings, and the id of its only record. */
export const settingsType = 'InstallationSettings';
export const settingsId = 'settings';

/** Administrators can always sign in with a password, because the provider may be away or misconfigured. */
export const passwordSignIns = ['everyone', 'administrators'] as const;
export type PasswordSignIn = (typeof passwordSignIns)[number];

/** Settings that administrators change while Annals runs (docs/reference/espocrm-compatibility.md#settings). */
export const settingsDefinition: EntityDefinition = {
  ...internalRecords,
  name: settingsType,
  log: 'directory',
  fields: {
    personNameFormat: { type: 'enum', options: Object.keys(personNameFormats), readOnly: true },
    passwordSignIn: { type: 'enum', options: passwordSignIns, readOnly: true },
  },
};

/** Returns which users may sign in with a password while a provider for single sign-on is active. */
export function passwordSignInOf(settings: RecordState | undefined): PasswordSignIn {
  return passwordSignIns.find((one) => one === settings?.values['passwordSignIn']) ?? 'everyone';
}

/** Returns undefined for the default format. */
export function personNameFormatIn(
  settings: RecordState | undefined,
): PersonNameFormat | undefined {
  const format = settings?.values['personNameFormat'];
  return isPersonNameFormat(format) ? format : undefined;
}
