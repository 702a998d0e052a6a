import type { FastifyReply } from 'fastify';
import { keyAttributes, setIgnoredHeader } from '../../../shared/http/set-ignored-header.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import { last, type Parameters, splitNames } from './read-parameters.ts';

/** Lists in `X-Ignored-Attributes` the selected attributes that do not exist or that the role hides. */
export function reportIgnoredSelection(
  reply: FastifyReply,
  { model, view }: Reader,
  select: readonly string[] | undefined,
): void {
  const isIgnored = (name: string): boolean => {
    const attribute = model.attribute.get(name);
    return attribute === undefined ? !keyAttributes.has(name) : !view.isVisible(attribute);
  };
  const names = (select ?? []).filter((name) => name !== '' && isIgnored(name));
  setIgnoredHeader(reply, names);
}

/** For lists with fixed columns and order: reports every name in `select` and `orderBy` in `X-Ignored-Attributes`. */
export function reportIgnoredForm(reply: FastifyReply, parameters: Parameters): void {
  const order = last(parameters, 'orderBy') ?? last(parameters, 'sortBy') ?? [];
  const names = [...readSelect(parameters), ...[order].flat()].filter((name) => name !== '');
  setIgnoredHeader(reply, names);
}

/** Returns the names in `attributeSelect` or `select`. */
export function readSelect(parameters: Parameters): readonly string[] {
  return splitNames(parameters.get('attributeSelect') ?? parameters.get('select') ?? []);
}
