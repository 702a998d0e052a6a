import type { EntityModel } from '../entity/entity-model.ts';
import type { Actor } from './actor.ts';

/** The secrets of records of a type that are shown to this actor, opened; all others are never shown. */
export function openedFor({ type }: Pick<Actor, 'type'>, { name }: EntityModel): readonly string[] {
  if (name === 'Webhook') return ['secretKey'];
  return name === 'User' && type === 'admin' ? ['apiKey', 'secretKey'] : [];
}
