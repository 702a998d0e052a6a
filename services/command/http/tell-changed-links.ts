import type { FastifyReply } from 'fastify';
import type { FieldType } from '../../../shared/domain/entity/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import type { RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';

const linkTypes: ReadonlySet<FieldType> = new Set([
  'link',
  'linkOne',
  'linkMultiple',
  'linkParent',
  'file',
  'image',
  'attachmentMultiple',
]);
/** Of a link itself; names of what is linked stand beside it. */
const endings = ['Id', 'Ids', 'Type', 'Columns'];

/** Says of an update whether it changed what the record is linked with (api-facts 3.3). */
export function tellChangedLinks(
  reply: FastifyReply,
  { model }: Pick<RoutedCommand, 'model'>,
  { changed }: Pick<RoutedAnswer, 'changed'>,
): void {
  if (changesLinks(model, changed)) void reply.header('X-Record-Link-Updated', 'true');
}

/** Whether changes of these attributes are changes of links. */
export function changesLinks(
  { attribute, fields }: EntityModel,
  changed: readonly string[],
): boolean {
  return changed.some((name) => {
    const field = attribute.get(name)?.field ?? '';
    const type = fields.get(field)?.type;
    const isLink = type !== undefined && linkTypes.has(type);
    return isLink && endings.some((ending) => name === field + ending);
  });
}
