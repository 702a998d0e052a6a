import type { ResolveLinks } from '../records/resolve-links.ts';
import { defineAction } from '../routing/action.ts';
import type { Append } from '../routing/append.ts';
import {
  bodyOf,
  json,
  listOf,
  mapOf,
  nullable,
  objectOf,
  optional,
  text,
  values,
} from '../routing/read-body.ts';
import { decideConversion, decideConversionEnd } from './decide-conversion.ts';
import type { Conversion, PlannedConversion, PlannedRecord } from './lead-conversion.ts';
import { type ConvertedLinks, prepareConvertedLinks } from './link-converted.ts';

interface LeadOwner {
  readonly append: Append;
  readonly now: () => number;
}

const planned = optional(objectOf<PlannedRecord>({ id: text, name: nullable(text), body: json }));

const conversionParts = {
  actorId: text,
  records: objectOf<Conversion['records']>({
    Account: planned,
    Contact: planned,
    Opportunity: planned,
  }),
  linked: optional(mapOf(listOf(text))),
};

export const convertAction = defineAction({
  name: 'convert',
  readBody: bodyOf<PlannedConversion>({ ...conversionParts, duplicates: listOf(values) }),
  execute: ({ append, now }: LeadOwner, request) =>
    append(request, { id: request.id, isCreation: false, decide: decideConversion(request, now) }),
});

/** About a record that is linked with a lead, and shall be with those that the lead became. */
export const linkConvertedAction = defineAction({
  name: 'convert-link',
  readBody: bodyOf<ConvertedLinks>({
    leadId: text,
    records: objectOf<ConvertedLinks['records']>({
      Account: optional(text),
      Contact: optional(text),
      Opportunity: optional(text),
    }),
  }),
  execute: async (owner: LeadOwner & { readonly resolveLinks: ResolveLinks }, request) => {
    const decide = await prepareConvertedLinks(request, owner);
    return owner.append(request, { id: request.id, isCreation: false, decide });
  },
});

/** Nothing is left to do of a conversion. */
export const endConversionAction = defineAction({
  name: 'convert-end',
  readBody: bodyOf<Conversion>(conversionParts),
  execute: ({ append }: LeadOwner, request) =>
    append(request, { id: request.id, isCreation: false, decide: decideConversionEnd(request) }),
});

export const conversionActions = [convertAction, linkConvertedAction, endConversionAction] as const;
