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

/** Settings that administrators change while Annals runs (docs/reference/espocrm-compatibility.md#settings). */
export const settingsDefinition: EntityDefinition = {
  ...internalRecords,
  name: settingsType,
  log: 'directory',
  fields: {
    personNameFormat: { type: 'enum', options: Object.keys(personNameFormats), readOnly: true },
  },
};

/** Returns undefined for the default format. */
export function personNameFormatIn(
  settings: RecordState | undefined,
): PersonNameFormat | undefined {
  const format = settings?.values['personNameFormat'];
  return isPersonNameFormat(format) ? format : undefined;
}
