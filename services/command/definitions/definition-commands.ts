import { type LayoutName, layoutNames, layoutsIn } from '../../../shared/domain/entity/layout.ts';
import type { Decision } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import { defineChange } from '../owner/define-command.ts';
import {
  asAnything,
  asJson,
  asListOf,
  asObject,
  asOneOf,
  asText,
  asValues,
} from '../owner/read-body.ts';
import { type Definition, decideDefinition, definitionKinds } from './define-entities.ts';
import { writeDefinition } from './definition-record.ts';
import { decideGrant, type Grant } from './grant-access.ts';

export const defineEntityCommand = defineChange({
  name: 'define',
  readBody: asObject<Definition>({
    kind: asOneOf(definitionKinds),
    entityType: asText,
    body: asJson,
  }),
  decide: (state, { body }, { context }) => decideDefinition(state, body, context.directory),
});

export const grantCommand = defineChange({
  name: 'grant',
  readBody: asObject<Grant>({ scope: asText, levels: asValues }),
  decide: decideGrant,
});

interface LayoutWrite {
  readonly names: readonly LayoutName[];
  /** Null removes the layouts. */
  readonly layout: unknown;
}

/** Stores layouts in the definition record of their entity type, or removes them. */
export const layoutCommand = defineChange({
  name: 'layout',
  readBody: asObject<LayoutWrite>({ names: asListOf(asOneOf(layoutNames)), layout: asAnything }),
  decide: decideLayouts,
});

export function decideLayouts(
  state: RecordState | undefined,
  { body: { names, layout } }: { readonly body: LayoutWrite },
): Decision | undefined {
  const current = state?.deleted === false ? state : undefined;
  const layouts = { ...layoutsIn(current) };
  for (const name of names) {
    if (layout === null) delete layouts[name];
    // The route has validated the layout.
    else layouts[name] = layout as AttributeValue;
  }
  return writeDefinition(current, { layouts });
}
