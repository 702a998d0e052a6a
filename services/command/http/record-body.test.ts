import { expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { webhookDefinition } from '../../../shared/domain/entity/stock/webhook.ts';
import { isShown } from './record-body.ts';

const model = buildEntityModel(webhookDefinition);
const values = { userId: 'ann' };
const webhook = { entityType: 'Webhook', id: 'w', version: 1, deleted: false, values };
const user = (id: string, type: 'admin' | 'api') =>
  buildActor({ id, name: id, userName: id, type, teamIds: [] }, []);

it('hides a webhook and its secret from users who can no longer read it', () => {
  const shown = (actor: ReturnType<typeof user>) => isShown({ actor, model }, webhook);

  expect(shown(user('root', 'admin'))).toBe(true);
  expect(shown(user('ann', 'api'))).toBe(false);
  expect(shown(user('bob', 'api'))).toBe(false);
});
