import type { FastifyReply } from 'fastify';
import { keyAttributes, setIgnoredHeader } from '../../../shared/http/set-ignored-header.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import { last, type Parameters, splitNames } from './read-parameters.ts';

/** Lists in `X-Ignored-Attributes` the selected attributes that do not exist or that the role hides. */
export function reportIgnoredSelection(
  reply: FastifyReply,
  { model, view }: Pick<Reader, 'model' | 'view'>,
  select: readonly string[] | undefined,
): void {
  const isIgnored = (name: string): boolean => {
    const attribute = model.attribute.get(name);
    return attribute === undefined ? !keyAttributes.has(name) : !view.isVisible(attribute);
  };
  setIgnoredHeader(
    reply,
    (select ?? []).filter((name) => name !== '' && isIgnored(name)),
  );
}

/** Lists in `X-Ignored-Attributes` all names in `select` and `orderBy`, for lists with a fixed form and order. */
export function reportIgnoredForm(reply: FastifyReply, parameters: Parameters): void {
  const order = last(parameters, 'orderBy') ?? last(parameters, 'sortBy') ?? [];
  const names = [...readSelect(parameters), ...[order].flat()];
  setIgnoredHeader(
    reply,
    names.filter((name) => name !== ''),
  );
}

/** Returns the names in `attributeSelect` or `select`. */
export function readSelect(parameters: Parameters): readonly string[] {
  return splitNames(parameters.get('attributeSelect') ?? parameters.get('select') ?? []);
}
