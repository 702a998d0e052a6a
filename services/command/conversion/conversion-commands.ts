import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { type Decision, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { append } from '../owner/append.ts';
import type { WriteRequest } from '../owner/command.ts';
import { type Deciding, defineChange, defineCommand } from '../owner/define-command.ts';
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
import { siblingsIn } from '../records/input/decide-change.ts';
import { duplicateFound } from '../records/input/find-duplicates.ts';
import { requireConditions } from '../records/input/require-conditions.ts';
import {
  type Conversion,
  conversionValues,
  type PlannedConversion,
  type PlannedRecord,
  readConversion,
} from './lead-conversion.ts';
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

/** Links one of the lead's linked records with the records that the conversion created. */
export const linkConvertedCommand = defineCommand({
  name: 'convert-link',
  readBody: asObject<ConvertedLinks>({
    leadId: asText,
    records: asObject<ConvertedLinks['records']>({
      Account: optional(asText),
      Contact: optional(asText),
      Opportunity: optional(asText),
    }),
  }),
  execute: async (context, request) => {
    const decide = await prepareConvertedLinks(request, context);
    return append(context, request, { id: request.id, decide });
  },
});

/** Marks a conversion as complete. */
export const endConversionCommand = defineChange({
  name: 'convert-end',
  readBody: asObject<Conversion>(conversionParts),
  decide: decideConversionEnd,
});

function decideConversion(
  state: RecordState | undefined,
  { actor, model, id, conditions, body }: WriteRequest<PlannedConversion>,
  { now }: Deciding,
): Decision | undefined {
  const current = live(state, id);
  requireRecordAccess(actor, 'edit', { ...current, model });
  requireConditions(current, { actor, model, conditions });
  const { duplicates, ...conversion } = body;
  // Checked here rather than earlier: on a repeat, an earlier check would find the records that the first attempt
  // created.
  if (duplicates.length > 0) throw duplicateFound(duplicates);
  return decideUpdate(current, conversionValues(conversion, now), siblingsIn(model));
}

export function decideConversionEnd(
  state: RecordState | undefined,
  { id, body }: { readonly id: string; readonly body: Conversion },
): Decision | undefined {
  const { linked: _, ...ended } = body;
  const current = live(state, id);
  const found = readConversion(current.values['conversion']);
  // The lead has since been converted again.
  if (JSON.stringify(found?.records) !== JSON.stringify(ended.records)) return undefined;
  return decideUpdate(current, { conversion: JSON.stringify(ended) });
}
