import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import type { WriteRequest } from '../owner/command.ts';
import { decideChange } from '../records/input/decide-change.ts';
import { addedToLink } from '../records/links/change-links.ts';
import type { Decide } from '../writer/submission.ts';
import type { ConversionTarget } from './lead-conversion.ts';

/** Ids of the conversion's new records, to which another record will be linked. Sent between instances as JSON. */
export interface ConvertedLinks {
  readonly leadId: string;
  readonly records: Readonly<Partial<Record<ConversionTarget, string>>>;
}

/** The links from each type of linked record to the new records (docs/reference/actions.md#leads). */
const linksByType: Readonly<Record<string, Readonly<Partial<Record<ConversionTarget, string>>>>> = {
  Meeting: { Contact: 'contacts' },
  Call: { Contact: 'contacts' },
  Document: { Account: 'accounts', Contact: 'contacts', Opportunity: 'opportunities' },
};

export const convertedTypes: readonly string[] = Object.keys(linksByType);

/** The new parent of meetings and calls: the first of these entity types that the conversion creates. */
const parents = ['Opportunity', 'Account', 'Contact'] as const;

/**
 * Links one of a converted lead's linked records with the records that the conversion created. The user needs the
 * permission to convert the lead, but not the permission to edit the linked record.
 */
export async function prepareConvertedLinks(
  { actor, model, id, body: links }: WriteRequest<ConvertedLinks>,
  { resolveLinks }: CommandContext,
): Promise<Decide> {
  const added = addedLinks(model, links);
  const parent = model.fields.has('parent') ? parentIn(links) : {};
  const lists = Object.fromEntries(added.map(({ field, ids }) => [`${field}Ids`, ids]));
  const resolved = await resolveLinks({ model, values: { ...lists, ...parent }, actor });
  return (state, { now }) => {
    const current = live(state, id);
    const { values } = current;
    const after: AttributeValues = Object.assign(
      {},
      ...(takesPart(values, links) ? added : []).map((one) =>
        addedToLink(one, values, resolved.values),
      ),
      goesOver(values, links, parent)
        ? { ...parent, parentName: resolved.values['parentName'] ?? null }
        : {},
    );
    return decideChange(model, current, after, now);
  };
}

function addedLinks({ name }: EntityModel, { records }: ConvertedLinks) {
  return Object.entries(linksByType[name] ?? {}).flatMap(([target, field]) => {
    const id = records[target as ConversionTarget];
    return id === undefined ? [] : [{ field, ids: [id] }];
  });
}

interface Parent {
  readonly parentType?: (typeof parents)[number];
  readonly parentId?: string;
}

function parentIn({ records }: ConvertedLinks): Parent {
  const parentType = parents.find((type) => records[type] !== undefined);
  const parentId = parentType && records[parentType];
  return parentType === undefined || parentId === undefined ? {} : { parentType, parentId };
}

function takesPart(values: AttributeValues, { leadId }: ConvertedLinks): boolean {
  const ids = values['leadsIds'];
  return Array.isArray(ids) && ids.includes(leadId);
}

/**
 * Returns true if the record gets the new parent. A parent other than the lead is kept. A contact does not become the
 * parent of a record without a parent.
 */
function goesOver(values: AttributeValues, links: ConvertedLinks, { parentType }: Parent): boolean {
  if (parentType === undefined) return false;
  const parentId = values['parentId'] ?? null;
  if (parentId !== null) return parentId === links.leadId && values['parentType'] === 'Lead';
  return takesPart(values, links) && parentType !== 'Contact';
}
