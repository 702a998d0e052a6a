import { type LayoutName, layoutNames, layoutsIn } from '../../../shared/domain/entity/layout.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import { appendToDirectory } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asAnything, asListOf, asObject, asOneOf } from '../owner/read-body.ts';
import type { Submission } from '../writer/submission.ts';
import { writeDefinition } from './definition-record.ts';

interface LayoutWrite {
  readonly names: readonly LayoutName[];
  /** Null removes the layouts. */
  readonly layout: unknown;
}

/** Stores layouts in the definition record of their entity type, or removes them. */
export const layoutCommand = defineCommand({
  name: 'layout',
  readBody: asObject<LayoutWrite>({ names: asListOf(asOneOf(layoutNames)), layout: asAnything }),
  execute: (context, request) =>
    appendToDirectory(context, request, { id: request.id, decide: decideLayouts(request.body) }),
});

export function decideLayouts({ names, layout }: LayoutWrite): Submission['decide'] {
  return (state) => {
    const current = state?.deleted === false ? state : undefined;
    const layouts = { ...layoutsIn(current) };
    for (const name of names) {
      if (layout === null) delete layouts[name];
      // The route has validated the layout.
      else layouts[name] = layout as AttributeValue;
    }
    return writeDefinition(current, { layouts });
  };
}
