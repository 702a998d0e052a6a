import type { Append } from '../forwarding/append.ts';
import { defineCommand } from '../forwarding/define-command.ts';
import {
  asJson,
  asListOf,
  asMapOf,
  asObject,
  asText,
  asValues,
  bodyOf,
  nullable,
  optional,
} from '../forwarding/read-body.ts';
import type { ResolveLinks } from '../records/input/resolve-links.ts';
import { decideConversion, decideConversionEnd } from './decide-conversion.ts';
import type { Conversion, PlannedConversion, PlannedRecord } from './lead-conversion.ts';
import { type ConvertedLinks, prepareConvertedLinks } from './link-converted.ts';

interface LeadOwner {
  readonly append: Append;
  readonly now: () => number;
}

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

export const convertCommand = defineCommand({
  name: 'convert',
  readBody: bodyOf<PlannedConversion>({ ...conversionParts, duplicates: asListOf(asValues) }),
  execute: ({ append, now }: LeadOwner, request) =>
    append(request, { id: request.id, isCreation: false, decide: decideConversion(request, now) }),
});

/** Links a record that is linked with a lead with the records that the lead was converted to. */
export const linkConvertedCommand = defineCommand({
  name: 'convert-link',
  readBody: bodyOf<ConvertedLinks>({
    leadId: asText,
    records: asObject<ConvertedLinks['records']>({
      Account: optional(asText),
      Contact: optional(asText),
      Opportunity: optional(asText),
    }),
  }),
  execute: async (owner: LeadOwner & { readonly resolveLinks: ResolveLinks }, request) => {
    const decide = await prepareConvertedLinks(request, owner);
    return owner.append(request, { id: request.id, isCreation: false, decide });
  },
});

/** Marks a conversion as complete. */
export const endConversionCommand = defineCommand({
  name: 'convert-end',
  readBody: bodyOf<Conversion>(conversionParts),
  execute: ({ append }: LeadOwner, request) =>
    append(request, { id: request.id, isCreation: false, decide: decideConversionEnd(request) }),
});

export const conversionCommands = [
  convertCommand,
  linkConvertedCommand,
  endConversionCommand,
] as const;
