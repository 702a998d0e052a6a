import { defineChange } from '../owner/define-command.ts';
import {
  asJson,
  asListOf,
  asMapOf,
  asObject,
  asText,
  asValues,
  nullable,
  optional,
} from '../owner/read-body.ts';
import { decideConversion, decideConversionEnd } from './decide-conversion.ts';
import type { Conversion, PlannedConversion, PlannedRecord } from './lead-conversion.ts';
import { type ConvertedLinks, prepareConvertedLinks } from './link-converted.ts';

const planned = optional(
  asObject<PlannedRecord>({ id: asText, name: nullable(asText), body: asJson }),
);

const conversionParts = {
  actorId: asText,
  records: asObject<Conversion['records']>({
    Account: planned,
    Contact: planned,
    Opportunity: planned,
  }),
  linked: optional(asMapOf(asListOf(asText))),
};

export const convertCommand = defineChange({
  name: 'convert',
  readBody: asObject<PlannedConversion>({ ...conversionParts, duplicates: asListOf(asValues) }),
  decide: decideConversion,
});

/** Links a record that is linked with a lead with the records that the lead was converted to. */
export const linkConvertedCommand = defineChange({
  name: 'convert-link',
  readBody: asObject<ConvertedLinks>({
    leadId: asText,
    records: asObject<ConvertedLinks['records']>({
      Account: optional(asText),
      Contact: optional(asText),
      Opportunity: optional(asText),
    }),
  }),
  decide: prepareConvertedLinks,
});

/** Marks a conversion as complete. */
export const endConversionCommand = defineChange({
  name: 'convert-end',
  readBody: asObject<Conversion>(conversionParts),
  decide: decideConversionEnd,
});

export const conversionCommands = [
  convertCommand,
  linkConvertedCommand,
  endConversionCommand,
] as const;
