import type { EntityDefinition } from '../definition/entity-definition.ts';
import { leadDefinition } from './lead.ts';
import { leadSources } from './options.ts';

export const leadCaptureType = 'LeadCapture';

/** The fields of leads that a form can set. The rules for captures add the installation's custom fields. */
const leadFields = Object.entries(leadDefinition.fields)
  .filter(([, { readOnly, notStored }]) => readOnly !== true && notStored !== true)
  .map(([name]) => name);

/**
 * Endpoints that accept leads from web forms. They are stored in the directory, so that every process can look them up by
 * key without a query (docs/adr/0046-authenticate-lead-capture-by-the-key-in-its-path.md).
 */
export const leadCaptureDefinition: EntityDefinition = {
  name: leadCaptureType,
  log: 'directory',
  isObject: false,
  opensSecrets: { attributes: ['apiKey'], toAdministratorsOnly: true },
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    name: { type: 'varchar', required: true, maxLength: 100 },
    isActive: { type: 'bool', default: true },
    fieldList: {
      type: 'multiEnum',
      required: true,
      options: ['name', ...leadFields],
      allowCustomOptions: true,
      maxCount: 100,
      default: ['firstName', 'lastName', 'emailAddress'],
    },
    fieldParams: { type: 'jsonObject' },
    duplicateCheck: { type: 'bool', default: true },
    campaign: { type: 'link', entityType: 'Campaign' },
    targetList: { type: 'link', entityType: 'TargetList' },
    subscribeToTargetList: { type: 'bool', default: true },
    subscribeContactToTargetList: { type: 'bool', default: true },
    targetTeam: { type: 'link', entityType: 'Team' },
    leadSource: { type: 'enum', options: leadSources, default: 'Web Site' },
    phoneNumberCountry: { type: 'varchar', maxLength: 2, pattern: '[A-Za-z]{2}' },
    description: { type: 'text' },
    optInConfirmation: { type: 'bool', default: false },
    optInConfirmationEmailTemplate: { type: 'link', entityType: 'EmailTemplate' },
    optInConfirmationLifetime: { type: 'int', min: 0, default: 48 },
    optInConfirmationSuccessMessage: { type: 'text' },
    createLeadBeforeOptInConfirmation: { type: 'bool', default: false },
    skipOptInConfirmationIfSubscribed: { type: 'bool', default: false },
    apiKey: { type: 'secret', readOnly: true },
    apiKeyHash: { type: 'secret', readOnly: true },
  },
  knownFields: { apiKey: { type: 'varchar', maxLength: 36, readOnly: true } },
};
